/** The operations on items that have a form: one item, a batch or a transaction. */
import { record } from '../values/attribute'
import { projectionExpression, type Request } from '../values/filter'
import { Placeholders } from '../values/placeholders'
import type { Table } from '../values/table'
import { itemInput, keyInput, newItemForm, putItem, type ItemForm, type ItemKind } from './itemForm'

/** The kinds of items that an operation takes, and the most of them. Source: the API reference. */
export const formOperations = {
  GetItem: { kinds: ['Get'], most: 1 }, PutItem: { kinds: ['Put'], most: 1 }, UpdateItem: { kinds: ['Update'], most: 1 },
  DeleteItem: { kinds: ['Delete'], most: 1 }, BatchGetItem: { kinds: ['Get'], most: 100 }, BatchWriteItem: { kinds: ['Put', 'Delete'], most: 25 },
  TransactGetItems: { kinds: ['Get'], most: 100 }, TransactWriteItems: { kinds: ['Put', 'Update', 'Delete', 'ConditionCheck'], most: 100 },
} satisfies Record<string, { kinds: ItemKind[]; most: number }>

export type FormOperation = keyof typeof formOperations

export function hasForm(operation: string): operation is FormOperation {
  return Object.hasOwn(formOperations, operation)
}

/** isBatch reports whether an operation has neither conditions nor a projection for each item. */
export function isBatch(operation: FormOperation): boolean {
  return operation.startsWith('Batch')
}

/** How a BatchGetItem reads from one table. */
export interface Reads { projection: string; consistent: boolean }

export interface RequestForm {
  rows: ItemForm[]
  /** By the name of the table. */
  reads: Record<string, Reads>
  /** ClientRequestToken; '' without one. */
  token: string
  capacity: 'NONE' | 'TOTAL' | 'INDEXES'
}

export function newRequestForm(): RequestForm {
  return { rows: [newItemForm(1)], reads: record(), token: '', capacity: 'TOTAL' }
}

/** readsOf is how a BatchGetItem reads from a table. */
export function readsOf(form: RequestForm, table: string): Reads {
  return Object.hasOwn(form.reads, table) ? form.reads[table]! : { projection: '', consistent: false }
}

/** rowsOf are the items of an operation: each with a kind that it takes, and with its table, or the chosen one. */
export function rowsOf(operation: FormOperation, form: RequestForm, chosen: string): ItemForm[] {
  const { kinds, most }: { kinds: ItemKind[]; most: number } = formOperations[operation]
  return form.rows.slice(0, most === 1 ? 1 : undefined).map((row) => ({
    ...row, kind: kinds.includes(row.kind) ? row.kind : kinds[0]!, table: most === 1 ? chosen : row.table || chosen,
  }))
}

/** requestOf makes the request. chosen is the table of rows without one. Errors: Error with the row and the reason. */
export function requestOf(operation: FormOperation, form: RequestForm, chosen: string, tables: ReadonlyMap<string, Table>): Request {
  const rows = rowsOf(operation, form, chosen)
  const each = <T>(make: (row: ItemForm, table: Table) => T): T[] => rows.map((row, i) => {
    try {
      const table = tables.get(row.table)
      if (!table) throw new Error(`There is no table ${row.table}`)
      return make(row, table)
    } catch (error) {
      throw rows.length > 1 ? new Error(`Item ${i + 1}: ${(error as Error).message}`) : error
    }
  })
  return { operation, input: { ...inputOf(operation, form, each), ...(form.capacity !== 'NONE' && { ReturnConsumedCapacity: form.capacity }) } }
}

type Each = <T>(make: (row: ItemForm, table: Table) => T) => T[]

function inputOf(operation: FormOperation, form: RequestForm, each: Each): Record<string, unknown> {
  switch (operation) {
    case 'BatchWriteItem': return { RequestItems: byTable(each((row, table) => [table.TableName, writeRequest(row, table)])) }
    case 'BatchGetItem': return { RequestItems: keysOf(form, byTable(each((row, table) => [table.TableName, keyInput(row, table)]))) }
    case 'TransactGetItems': return { TransactItems: each((row, table) => ({ Get: itemInput(row, table) })) }
    case 'TransactWriteItems': return {
      TransactItems: each((row, table) => ({ [row.kind]: itemInput(row, table) })), ...(form.token && { ClientRequestToken: form.token }),
    }
    default: return each((row, table) => ({
      ...itemInput(row, table), ...(row.kind === 'Get' ? row.consistent && { ConsistentRead: true } : row.returnValues && { ReturnValues: row.returnValues }),
    }))[0]!
  }
}

function writeRequest(row: ItemForm, table: Table) {
  return row.kind === 'Put' ? { PutRequest: { Item: putItem(row, table) } } : { DeleteRequest: { Key: keyInput(row, table) } }
}

function byTable<T>(entries: (readonly [string, T])[]): Record<string, T[]> {
  const result = record<T[]>()
  for (const [table, value] of entries) (result[table] ??= []).push(value)
  return result
}

function keysOf(form: RequestForm, keys: Record<string, unknown[]>) {
  return record(Object.entries(keys).map(([table, Keys]) => {
    const { projection, consistent } = readsOf(form, table)
    const p = new Placeholders()
    const expression = projectionExpression(projection, p)
    return [table, { Keys, ...(expression && { ProjectionExpression: expression }), ...p.fields(), ...(consistent && { ConsistentRead: true }) }] as const
  }))
}
