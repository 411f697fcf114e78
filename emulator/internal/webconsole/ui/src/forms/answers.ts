/** What the service answers to batches and transactions, as far as it concerns their items. */
import { Problem } from '../api/http'
import type { Capacity } from '../api/dynamodb'

export interface Reason { Code: string; Message?: string; Item?: unknown }

interface Body { CancellationReasons?: Reason[]; Item?: unknown }

/** reasonsOf has a reason for each item of a cancelled transaction, with the code None for those that did not cause it. */
export function reasonsOf(error: Error | undefined): Reason[] {
  return bodyOf(error).CancellationReasons ?? []
}

/** failedItem is the item that did not meet the condition of a write, if the write asked for it. */
export function failedItem(error: Error | undefined): unknown {
  return bodyOf(error).Item
}

function bodyOf(error: Error | undefined): Body {
  try {
    return error instanceof Problem ? (JSON.parse(error.body) as Body) ?? {} : {}
  } catch {
    return {}
  }
}

type Requests = Record<string, unknown[] | { Keys: unknown[] }>

interface Output { UnprocessedItems?: Requests; UnprocessedKeys?: Requests; ConsumedCapacity?: Capacity | Capacity[] }

/** unprocessed are the items of a batch that the service has left, and their number; undefined if there are none. */
export function unprocessed(output: unknown): { requests: Requests; count: number } | undefined {
  const { UnprocessedItems, UnprocessedKeys } = output as Output
  const requests = UnprocessedItems ?? UnprocessedKeys ?? {}
  const count = Object.values(requests).reduce((sum, r) => sum + (Array.isArray(r) ? r : r.Keys).length, 0)
  return count > 0 ? { requests, count } : undefined
}

/** capacityOf is the consumed capacity by table; empty if the request did not ask for it. */
export function capacityOf(output: unknown): { table: string; units: number }[] {
  const consumed = (output as Output).ConsumedCapacity
  return (Array.isArray(consumed) ? consumed : consumed ? [consumed] : [])
    .map((c) => ({ table: c.TableName ?? '', units: c.CapacityUnits ?? 0 }))
}
