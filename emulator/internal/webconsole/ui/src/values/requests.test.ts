import { describe, expect, test } from 'vitest'
import { record, type Item } from './attribute'
import { buildRequest, splitPaths, type Filter, type ItemQuery, type Operand } from './filter'
import { comparableAttributes, deleteIfUnchanged, isTooWide, putIfUnchanged } from './save'

const keys = [{ name: 'customer', type: 'S' as const, isSortKey: false }, { name: 'number', type: 'N' as const, isSortKey: true }]

function query(change: Partial<ItemQuery>): ItemQuery {
  return {
    table: 'orders', index: '', mode: 'Scan', partition: [{ type: 'S', text: 'ana' }], sort: [], filters: [], match: 'all',
    projection: '', forward: true, consistent: false, limit: 50, ...change,
  }
}

function filter(change: Partial<Filter>): Filter {
  return { id: 1, path: 'state', operator: '=', operands: [{ type: 'S', text: 'open' }], sizeOperator: '=', attributeType: 'S', ...change }
}

test('a scan of a table', () => {
  expect(buildRequest(query({}), keys)).toEqual({ operation: 'Scan', input: { TableName: 'orders', Limit: 50, ReturnConsumedCapacity: 'TOTAL' } })
})

test('a query of an index, downwards, with a range, a filter and a projection', () => {
  const q = query({
    mode: 'Query', index: 'by-state', forward: false, consistent: true, projection: 'id, "a.b".c[0], state', filters: [filter({})],
    sort: [{ operator: 'between', operands: [{ type: 'N', text: '1' }, { type: 'N', text: '2' }] }],
  })
  expect(buildRequest(q, keys).input).toEqual({
    TableName: 'orders', IndexName: 'by-state', ScanIndexForward: false, ConsistentRead: true, Limit: 50, ReturnConsumedCapacity: 'TOTAL',
    KeyConditionExpression: '#0 = :0 AND #1 BETWEEN :1 AND :2', FilterExpression: '#2 = :3', ProjectionExpression: '#3, #4.#5[0], #2',
    ExpressionAttributeNames: { '#0': 'customer', '#1': 'number', '#2': 'state', '#3': 'id', '#4': 'a.b', '#5': 'c' },
    ExpressionAttributeValues: { ':0': { S: 'ana' }, ':1': { N: '1' }, ':2': { N: '2' }, ':3': { S: 'open' } },
  })
})

test('a query by several key attributes', () => {
  const part = (name: string, isSortKey: boolean) => ({ name, type: 'S' as const, isSortKey })
  const text = (value: string) => ({ type: 'S' as const, text: value })
  const q = query({
    mode: 'Query', partition: [text('PT'), text('Lisbon')],
    sort: [{ operator: '=', operands: [text('Rua')] }, { operator: 'begins_with', operands: [text('1')] }],
  })
  const all = [part('country', false), part('city', false), part('street', true), part('house', true), part('door', true)]
  expect(buildRequest(q, all).input).toMatchObject({
    KeyConditionExpression: '#0 = :0 AND #1 = :1 AND #2 = :2 AND begins_with(#3, :3)',
    ExpressionAttributeValues: { ':0': { S: 'PT' }, ':1': { S: 'Lisbon' }, ':2': { S: 'Rua' }, ':3': { S: '1' } },
  })
})

describe('every operator of a filter', () => {
  const two = [{ type: 'N' as const, text: '1' }, { type: 'N' as const, text: '2' }]
  const cases: [Partial<Filter>, string][] = [
    [{ operator: '<>' }, '#0 <> :0'], [{ operator: '<=' }, '#0 <= :0'], [{ operator: 'between', operands: two }, '#0 BETWEEN :0 AND :1'],
    [{ operator: 'begins_with' }, 'begins_with(#0, :0)'], [{ operator: 'in', operands: two }, '#0 IN (:0, :1)'],
    [{ operator: 'contains' }, 'contains(#0, :0)'], [{ operator: 'not contains' }, 'NOT contains(#0, :0)'],
    [{ operator: 'attribute_exists', operands: [] }, 'attribute_exists(#0)'],
    [{ operator: 'attribute_not_exists', operands: [] }, 'attribute_not_exists(#0)'],
    [{ operator: 'attribute_type', operands: [], attributeType: 'SS' }, 'attribute_type(#0, :0)'],
    [{ operator: 'size', operands: [{ type: 'S', text: '3' }], sizeOperator: '>=' }, 'size(#0) >= :0'],
  ]
  test.each(cases)('%j', (change, expression) => {
    expect(buildRequest(query({ filters: [filter(change)] }), keys).input.FilterExpression).toBe(expression)
  })
  test('any of two, with one value for the same operand', () => {
    const input = buildRequest(query({ match: 'any', filters: [filter({}), filter({ path: 'previous' })] }), keys).input
    expect(input.FilterExpression).toBe('#0 = :0 OR #1 = :0')
  })
})

test('operands of other types', () => {
  const value = (type: Operand['type'], text: string) =>
    (buildRequest(query({ filters: [filter({ operands: [{ type, text }] })] }), keys).input.ExpressionAttributeValues as Item)[':0']
  expect(value('BOOL', 'false')).toEqual({ BOOL: false })
  expect(value('NULL', '')).toEqual({ NULL: true })
  expect(value('B', 'AAE=')).toEqual({ B: 'AAE=' })
  expect(value('JSON', '{"SS": ["a"]}')).toEqual({ SS: ['a'] })
  expect(value('JSON', '[1, "x"]')).toEqual({ L: [{ N: '1' }, { S: 'x' }] })
  expect(() => value('B', '?')).toThrow('base64')
  expect(value('SS', 'a b\n\na b\n"c"\n')).toEqual({ SS: ['a b', '"c"'] })
  expect(value('NS', '12345678901234567890123456789012345678\n.5')).toEqual({ NS: ['12345678901234567890123456789012345678', '.5'] })
  expect(value('BS', 'AAE=\nAA==')).toEqual({ BS: ['AAE=', 'AA=='] })
  expect(() => value('SS', '\n')).toThrow('at least one member')
  expect(() => value('NS', '1\nx')).toThrow('x: Not a number')
})

test('a number that is none is refused before it is sent', () => {
  const q = query({ mode: 'Query', partition: [{ type: 'N', text: 'x' }] })
  expect(() => buildRequest(q, keys)).toThrow('Not a number')
})

test('attributes are split at commas that are not in quotes', () => {
  expect(splitPaths('a, "b,c".d ,')).toEqual(['a', '"b,c".d'])
})

test('a save has a condition on every attribute as read, and on those that it adds', () => {
  const before = record([['id', { S: '7' }], ['n', { N: '1' }]]) as Item
  const after = record([['id', { S: '7' }], ['extra', { BOOL: true }]]) as Item
  expect(putIfUnchanged('t', ['id'], before, after).input).toEqual({
    TableName: 't', Item: after, ReturnConsumedCapacity: 'TOTAL',
    ConditionExpression: '#0 = :0 AND #1 = :1 AND attribute_not_exists(#2)',
    ExpressionAttributeNames: { '#0': 'id', '#1': 'n', '#2': 'extra' }, ExpressionAttributeValues: { ':0': { S: '7' }, ':1': { N: '1' } },
  })
})

test('a new item must not exist yet, and a deletion has the condition too', () => {
  const item: Item = { id: { S: '7' }, n: { N: '1' } }
  expect(putIfUnchanged('t', ['id'], undefined, item).input.ConditionExpression).toBe('attribute_not_exists(#0)')
  expect(deleteIfUnchanged('t', ['id'], item).input).toMatchObject({ Key: { id: { S: '7' } }, ConditionExpression: '#0 = :0 AND #1 = :1' })
})

test('an item with more attributes than a condition can compare is known', () => {
  const wide = record(Array.from({ length: comparableAttributes + 1 }, (_, i) => [`a${i}`, { N: String(i) }] as const)) as Item
  expect(isTooWide(wide)).toBe(true)
  const operators = (putIfUnchanged('t', ['a0'], wide, wide).input.ConditionExpression as string).split(/ = | AND /).length - 1
  expect(operators).toBeLessThanOrEqual(300)
})
