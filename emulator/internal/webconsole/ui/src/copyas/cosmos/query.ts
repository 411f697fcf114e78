/** A query of Cosmos DB, and what the programs that send it need. */
import { parse, type Node } from '../../values/losslessJson'

export interface CosmosQuery {
  database: string
  container: string
  sql: string
  /** A JSON array with a value for each path of the partition key; '' is a query over all partitions. */
  partitionKey: string
  /** The most items of a page. */
  limit: number
}

export interface Account { endpoint: string; key: string }

/** KeyValue is one value of a partition key; a number is its text. */
export type KeyValue = { kind: 'string'; text: string } | { kind: 'number'; text: string } | { kind: 'boolean'; value: boolean } | { kind: 'null' }

/** keyValues reads the values of a query's partition key; none: it is over all partitions. Errors: Error with the reason. */
export function keyValues(query: CosmosQuery): KeyValue[] {
  if (!query.partitionKey.trim()) return []
  const node = parse(query.partitionKey)
  if (node.kind !== 'array' || node.items.some((n) => n.kind === 'array' || n.kind === 'object')) {
    throw new Error('A program has a partition key of texts, numbers, true, false and null: ["customer-1"]')
  }
  return node.items as (Node & KeyValue)[]
}
