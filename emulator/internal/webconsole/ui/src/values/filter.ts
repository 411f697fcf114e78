/** The query builder's model, and the Query or Scan that it stands for. */
import type { AttributeType, AttributeValue } from './attribute'
import { isBase64 } from './base64'
import { parseDynamoJson } from './dynamoJson'
import { readNative } from './nativeJson'
import { parse } from './losslessJson'
import { numberError } from './number'
import { parsePath } from './path'
import { Placeholders } from './placeholders'

export const keyOperators = ['=', '<', '<=', '>', '>=', 'between', 'begins_with'] as const
export const filterOperators = ['=', '<>', '<', '<=', '>', '>=', 'between', 'begins_with', 'in', 'contains', 'not contains',
  'attribute_exists', 'attribute_not_exists', 'attribute_type', 'size'] as const
export const sizeOperators = ['=', '<>', '<', '<=', '>', '>='] as const

export type KeyOperator = (typeof keyOperators)[number]
export type FilterOperator = (typeof filterOperators)[number]

export const operandTypes = ['S', 'N', 'BOOL', 'NULL', 'B', 'SS', 'NS', 'BS', 'JSON'] as const

/** An operand as it was typed: a set has one member per line, and JSON stands for any type, written as native or DynamoDB JSON. */
export interface Operand { type: (typeof operandTypes)[number]; text: string }

export interface Filter {
  id: number
  path: string
  operator: FilterOperator
  operands: Operand[]
  /** The operator after size(path). */
  sizeOperator: (typeof sizeOperators)[number]
  /** The type for attribute_type. */
  attributeType: AttributeType
}

export interface KeyPart { name: string; type: 'S' | 'N' | 'B'; isSortKey: boolean }

export interface SortCondition { operator: KeyOperator; operands: Operand[] }

export interface ItemQuery {
  table: string
  index: string // '' is the table
  mode: 'Query' | 'Scan'
  /** The value of each attribute of the partition key. */
  partition: Operand[]
  /** Conditions on the first attributes of the sort key, in order. Only the last may be another than =. */
  sort: SortCondition[]
  filters: Filter[]
  match: 'all' | 'any'
  projection: string
  forward: boolean
  consistent: boolean
  limit: number
}

export interface Request { operation: string; input: Record<string, unknown> }

/** operandValue is the attribute value that was typed. Errors: Error with the reason. */
export function operandValue(operand: Operand): AttributeValue {
  switch (operand.type) {
    case 'S': return { S: operand.text }
    case 'N': return { N: numberOf(operand.text) }
    case 'B': return { B: binaryOf(operand.text) }
    case 'BOOL': return { BOOL: operand.text === 'true' }
    case 'NULL': return { NULL: true }
    case 'SS': return { SS: members(operand.text) }
    case 'NS': return { NS: members(operand.text).map(numberOf) }
    case 'BS': return { BS: members(operand.text).map(binaryOf) }
    case 'JSON': return jsonValue(operand.text)
  }
}

function numberOf(text: string): string {
  const error = numberError(text)
  if (error) throw new Error(text === '' ? 'A number is missing' : `${text}: ${error}`)
  return text.trim()
}

function binaryOf(text: string): string {
  if (!isBase64(text)) throw new Error('Write binary in base64')
  return text
}

/** members are the lines of a set; one that is there twice counts once. */
function members(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length === 0) throw new Error('A set has at least one member')
  return [...new Set(lines)]
}

function jsonValue(text: string): AttributeValue {
  try {
    return parseDynamoJson(`{"v":${text}}`)['v']!
  } catch {
    return readNative(parse(text))
  }
}

/** buildRequest makes the Query or Scan. keys are those of the table or index. Errors: Error with the reason. */
export function buildRequest(query: ItemQuery, keys: KeyPart[]): Request {
  const placeholders = new Placeholders()
  const input: Record<string, unknown> = { TableName: query.table }
  if (query.index) input.IndexName = query.index
  if (query.mode === 'Query') {
    input.KeyConditionExpression = keyCondition(query, keys, placeholders)
    if (!query.forward) input.ScanIndexForward = false
  }
  const filter = conditionExpression(query.filters, query.match, placeholders)
  if (filter) input.FilterExpression = filter
  const projection = projectionExpression(query.projection, placeholders)
  if (projection) input.ProjectionExpression = projection
  Object.assign(input, placeholders.fields())
  if (query.consistent) input.ConsistentRead = true
  input.Limit = query.limit
  input.ReturnConsumedCapacity = 'TOTAL'
  return { operation: query.mode, input }
}

function keyCondition(query: ItemQuery, keys: KeyPart[], p: Placeholders): string {
  const partition = keys.filter((k) => !k.isSortKey)
  const sort = keys.filter((k) => k.isSortKey).slice(0, query.sort.length)
  if (partition.length === 0) throw new Error('The table has no key')
  return [
    ...partition.map((k, i) => `${p.name(k.name)} = ${p.value(operandValue(query.partition[i] ?? { type: k.type, text: '' }))}`),
    ...sort.map((k, i) => comparison(query.sort[i]!.operator, p.name(k.name), query.sort[i]!.operands.map((o) => p.value(operandValue(o))))),
  ].join(' AND ')
}

/** conditionExpression joins conditions; those without an attribute are left out. It is '' without any. Errors: Error with the reason. */
export function conditionExpression(conditions: Filter[], match: 'all' | 'any', p: Placeholders): string {
  return conditions.filter((c) => c.path.trim() !== '').map((c) => filterCondition(c, p)).join(match === 'all' ? ' AND ' : ' OR ')
}

/** projectionExpression has the paths of a list with commas; it is '' without any. Errors: Error with the reason. */
export function projectionExpression(paths: string, p: Placeholders): string {
  return splitPaths(paths).map((path) => p.path(parsePath(path))).join(', ')
}

function filterCondition(filter: Filter, p: Placeholders): string {
  const path = p.path(parsePath(filter.path))
  switch (filter.operator) {
    case 'attribute_exists': case 'attribute_not_exists': return `${filter.operator}(${path})`
    case 'attribute_type': return `attribute_type(${path}, ${p.value({ S: filter.attributeType })})`
    case 'size': return `size(${path}) ${filter.sizeOperator} ${p.value(operandValue({ ...filter.operands[0]!, type: 'N' }))}`
  }
  const values = filter.operands.map((o) => p.value(operandValue(o)))
  if (filter.operator === 'in') return `${path} IN (${values.join(', ')})`
  if (filter.operator === 'not contains') return `NOT contains(${path}, ${values[0]})`
  return comparison(filter.operator, path, values)
}

function comparison(operator: string, path: string, values: string[]): string {
  if (operator === 'between') return `${path} BETWEEN ${values[0]} AND ${values[1]}`
  if (operator === 'begins_with' || operator === 'contains') return `${operator}(${path}, ${values[0]})`
  return `${path} ${operator} ${values[0]}`
}

/** emptyOperand is a value that is still to be typed, of the type of a key attribute if it is compared with one. */
export function emptyOperand(part?: KeyPart): Operand {
  return { type: part?.type ?? 'S', text: '' }
}

/** resize adds empty operands of the type of the first, or drops the last ones. */
export function resize(operands: Operand[], count: number, part?: KeyPart): Operand[] {
  return Array.from({ length: count }, (_, i) => operands[i] ?? (operands[0] ? { ...operands[0], text: '' } : emptyOperand(part)))
}

/** operandCount is how many operands an operator takes; 'in' takes any number from one. */
export function operandCount(operator: FilterOperator): number {
  if (operator === 'between') return 2
  return ['attribute_exists', 'attribute_not_exists', 'attribute_type'].includes(operator) ? 0 : 1
}

/** splitPaths splits at the commas that are not in quotes. */
export function splitPaths(text: string): string[] {
  return (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []).map((p) => p.trim()).filter((p) => p !== '')
}
