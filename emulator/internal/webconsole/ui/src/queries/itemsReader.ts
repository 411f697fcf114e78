import { call, type Capacity, type Cost } from '../api/dynamodb'
import type { Item } from '../values/attribute'
import type { Request } from '../values/filter'
import { Cell } from './cell'

interface Output {
  Items?: Item[]; Count?: number; ScannedCount?: number; LastEvaluatedKey?: Item; NextToken?: string
  ConsumedCapacity?: Capacity
}

export interface Found {
  request: Request
  items: Item[]
  /** Items that were read before the filter, on the pages so far; undefined for PartiQL. */
  scanned: number | undefined
  pages: number
  units: number
  usd: number | undefined
  milliseconds: number
  /** The request for the next page; undefined at the end. */
  next: Request | undefined
}

/** ItemsState is what was found; failed is the request that had the error. */
export interface ItemsState { found: Found | undefined; error: Error | undefined; failed?: Request; busy: boolean }

/** The most pages that one press of a button reads; a filter may leave many of them empty. */
const pagesAtOnce = 25

/** ItemsReader runs a request for items, page after page. */
export class ItemsReader extends Cell<ItemsState> {
  private running: AbortController | undefined

  constructor() {
    super({ found: undefined, error: undefined, busy: false })
  }

  /** run reads pages until it has as many items as wanted, or there are no more. */
  run(request: Request, wanted: number): Promise<void> {
    return this.read(request, undefined, wanted)
  }

  more(wanted: number) {
    const { found } = this.value
    if (found?.next) void this.read(found.next, found, wanted)
  }

  stop() {
    this.running?.abort()
    this.set({ ...this.value, busy: false })
  }

  private async read(request: Request, before: Found | undefined, wanted: number) {
    this.running?.abort()
    const abort = (this.running = new AbortController())
    this.set({ ...this.value, busy: true, error: undefined })
    let found = before
    try {
      let next: Request | undefined = request
      const start = before?.items.length ?? 0
      for (let page = 0; next && page < pagesAtOnce; page++) {
        found = await readPage(next, before?.request ?? request, found, abort.signal)
        next = found.next
        if (found.items.length - start >= wanted) break
      }
      if (!abort.signal.aborted) this.set({ found, error: undefined, busy: false })
    } catch (error) {
      if (!abort.signal.aborted) this.set({ found: found ?? this.value.found, error: error as Error, failed: request, busy: false })
    }
  }
}

async function readPage(request: Request, first: Request, before: Found | undefined, signal: AbortSignal): Promise<Found> {
  const { output, milliseconds, cost } = await call<Output>(request.operation, request.input, signal)
  return {
    request: first,
    items: [...(before?.items ?? []), ...(output.Items ?? [])],
    scanned: output.ScannedCount === undefined ? undefined : (before?.scanned ?? 0) + output.ScannedCount,
    pages: (before?.pages ?? 0) + 1,
    units: (before?.units ?? 0) + (output.ConsumedCapacity?.CapacityUnits ?? 0),
    usd: sumOf(before?.usd, cost),
    milliseconds: (before?.milliseconds ?? 0) + milliseconds,
    next: nextPage(request, output),
  }
}

function sumOf(before: number | undefined, cost: Cost | undefined): number | undefined {
  return cost ? (before ?? 0) + Number(cost.usd) : before
}

function nextPage(request: Request, output: Output): Request | undefined {
  if (output.LastEvaluatedKey) return { ...request, input: { ...request.input, ExclusiveStartKey: output.LastEvaluatedKey } }
  if (output.NextToken) return { ...request, input: { ...request.input, NextToken: output.NextToken } }
  return undefined
}
