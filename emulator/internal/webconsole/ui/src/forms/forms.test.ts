import { describe, expect, test } from 'vitest'
import { Problem } from '../api/http'
import { record, type Item } from '../values/attribute'
import type { Filter, Operand } from '../values/filter'
import { Placeholders } from '../values/placeholders'
import type { Table } from '../values/table'
import { capacityOf, failedItem, reasonsOf, unprocessed } from './answers'
import { itemOf, newItemForm, summary, type ItemForm } from './itemForm'
import { newRequestForm, requestOf, type FormOperation } from './requestForm'
import { actionKinds, newAction, updateExpression, withKind, type Action } from './update'

const number38 = '12345678901234567890123456789012345678'

function table(name: string, ...keys: [string, 'S' | 'N' | 'B'][]): Table {
  return {
    TableName: name, KeySchema: keys.map(([AttributeName], i) => ({ AttributeName, KeyType: i ? 'RANGE' : 'HASH' })),
    AttributeDefinitions: keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  } as Table
}

const tables = new Map([table('orders', ['customer', 'S'], ['number', 'N']), table('stock', ['id', 'B']), table('__proto__', ['a.b', 'S'])]
  .map((t) => [t.TableName, t] as const))

const operand = (type: Operand['type'], text: string): Operand => ({ type, text })
const action = (kind: Action['kind'], path: string, value = operand('S', 'x')): Action => ({ id: 1, kind, path, value })
const condition = (change: Partial<Filter>): Filter => ({
  id: 1, path: 'state', operator: '=', operands: [operand('S', 'open')], sizeOperator: '=', attributeType: 'S', ...change,
})
const form = (change: Partial<ItemForm>): ItemForm => ({ ...newItemForm(1), key: record([['customer', 'ana'], ['number', '7']]), ...change })

function input(operation: FormOperation, rows: Partial<ItemForm>[], chosen = 'orders', more = {}) {
  return requestOf(operation, { ...newRequestForm(), capacity: 'NONE', rows: rows.map(form), ...more }, chosen, tables).input
}

const key = { customer: { S: 'ana' }, number: { N: '7' } }

describe('each action of an update', () => {
  const cases: [Action, string, unknown][] = [
    [action('set', 'a'), 'SET #0 = :0', { S: 'x' }],
    [action('set', 'a', operand('N', number38)), 'SET #0 = :0', { N: number38 }],
    [action('set', 'a', operand('B', 'AAE=')), 'SET #0 = :0', { B: 'AAE=' }],
    [action('default', 'a', operand('NULL', '')), 'SET #0 = if_not_exists(#0, :0)', { NULL: true }],
    [action('increase', 'a', operand('N', '1')), 'SET #0 = #0 + :0', { N: '1' }],
    [action('decrease', 'a', operand('N', '1')), 'SET #0 = #0 - :0', { N: '1' }],
    [action('append', 'a', operand('JSON', '["x"]')), 'SET #0 = list_append(#0, :0)', { L: [{ S: 'x' }] }],
    [action('prepend', 'a', operand('JSON', '{"L": []}')), 'SET #0 = list_append(:0, #0)', { L: [] }],
    [action('remove', 'a[3].b'), 'REMOVE #0[3].#1', undefined],
    [action('add', 'a', operand('NS', `1\n${number38}`)), 'ADD #0 :0', { NS: ['1', number38] }],
    [action('delete', 'a', operand('BS', 'AAE=')), 'DELETE #0 :0', { BS: ['AAE='] }],
  ]
  test.each(cases)('%j', (a, expression, value) => {
    const p = new Placeholders()
    expect(updateExpression([a], p)).toBe(expression)
    expect(p.values[':0']).toEqual(value)
  })
  test('has a case', () => {
    expect(new Set(cases.map(([a]) => a.kind))).toEqual(new Set(Object.keys(actionKinds)))
  })
})

test('an update has one clause of each kind, and no action without a path', () => {
  const actions = [action('remove', 'old'), action('set', 'a'), action('set', ' '), action('default', 'b', operand('S', 'y')), action('remove', 'older')]
  expect(input('UpdateItem', [{ actions, conditions: [condition({})], returnValues: 'ALL_NEW', returnOnFailure: true }])).toEqual({
    TableName: 'orders', Key: key, UpdateExpression: 'REMOVE #0, #3 SET #1 = :0, #2 = if_not_exists(#2, :1)', ConditionExpression: '#4 = :2',
    ExpressionAttributeNames: { '#0': 'old', '#1': 'a', '#2': 'b', '#3': 'older', '#4': 'state' },
    ExpressionAttributeValues: { ':0': { S: 'x' }, ':1': { S: 'y' }, ':2': { S: 'open' } },
    ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
})

test.each(['SELECT', '__proto__', 'שלום', '\u202eevil', '<script>ran()</script>', '#0', ':v', "a'b", 'a = :0 REMOVE x', '😀'])(
  'the name %j is only a name', (name) => {
    const { UpdateExpression, ConditionExpression, ExpressionAttributeNames } = input('UpdateItem',
      [{ actions: [action('set', name)], conditions: [condition({ path: name, operator: 'attribute_not_exists', operands: [] })] }])
    expect({ UpdateExpression, ConditionExpression }).toEqual({ UpdateExpression: 'SET #0 = :0', ConditionExpression: 'attribute_not_exists(#0)' })
    expect(ExpressionAttributeNames).toEqual(record([['#0', name]]))
  })

test('a name with dots stands in quotes', () => {
  expect(input('UpdateItem', [{ actions: [action('set', '"a.b".c')] }])).toMatchObject({
    UpdateExpression: 'SET #0.#1 = :0', ExpressionAttributeNames: { '#0': 'a.b', '#1': 'c' },
  })
})

test('values that an action does not take are refused with the path', () => {
  const refused = (a: Action, reason: string) => expect(() => updateExpression([a], new Placeholders())).toThrow(reason)
  refused(action('increase', 'price', operand('N', 'x')), 'price: x: Not a number')
  refused(action('set', 'n', operand('N', number38 + '9')), 'n: ' + number38 + '9: A number has at most 38 significant digits')
  refused(action('append', 'lines', operand('JSON', '"tea"')), 'lines: Append to list takes a list')
  refused(action('delete', 'tags', operand('SS', '')), 'tags: A set has at least one member')
  refused(action('set', 'a..b'), 'not a path')
})

test('an action of another kind has a value of a type that the kind has', () => {
  expect(withKind(action('set', 'a'), 'increase').value).toEqual({ type: 'N', text: 'x' })
  expect(withKind(action('set', 'a', operand('SS', 'x')), 'add').value.type).toBe('SS')
  expect(withKind(action('set', 'a'), 'remove').value.type).toBe('S')
  expect(newAction([action('set', 'a')]).id).toBe(2)
})

test('an item has samples for its key until there are values of its types', () => {
  expect(itemOf(form({}), tables.get('orders')!)).toEqual({ customer: { S: 'value' }, number: { N: '1' } })
  const item: Item = record([['number', { S: 'seven' }], ['customer', { S: 'ana' }], ['__proto__', { BOOL: true }]])
  const put = input('PutItem', [{ item, conditions: [condition({ path: 'customer', operator: 'attribute_not_exists', operands: [] })], returnValues: 'ALL_OLD' }])
  expect(JSON.parse(JSON.stringify(put)) as unknown).toEqual({
    TableName: 'orders', Item: record([['customer', { S: 'ana' }], ['number', { N: '1' }], ['__proto__', { BOOL: true }]]),
    ConditionExpression: 'attribute_not_exists(#0)', ExpressionAttributeNames: { '#0': 'customer' }, ReturnValues: 'ALL_OLD',
  })
  expect(() => input('PutItem', [{ item: { n: { N: 'x' } } }])).toThrow('n: Not a number')
  expect(summary(form({ kind: 'Put', item }), tables.get('orders')!)).toBe('ana / 1')
  expect(summary(form({ kind: 'Get' }), tables.get('orders')!)).toBe('ana / 7')
})

test('a read of an item', () => {
  expect(input('GetItem', [{ projection: 'state, "a.b"', consistent: true, conditions: [condition({})], returnOnFailure: true }])).toEqual({
    TableName: 'orders', Key: key, ProjectionExpression: '#0, #1', ExpressionAttributeNames: { '#0': 'state', '#1': 'a.b' }, ConsistentRead: true,
  })
  expect(input('GetItem', [{}], 'orders', { capacity: 'INDEXES' })).toEqual({ TableName: 'orders', Key: key, ReturnConsumedCapacity: 'INDEXES' })
  expect(() => input('GetItem', [{ key: record([['number', '']]) }])).toThrow('number: A number is missing')
  expect(() => input('GetItem', [{ key: record([['id', '?']]) }], 'stock')).toThrow('id: Write binary in base64')
})

test('a deletion has no fields of other kinds', () => {
  expect(input('DeleteItem', [{ kind: 'Put', actions: [action('set', 'a')], projection: 'a', consistent: true, match: 'any',
    conditions: [condition({}), condition({ id: 2, operator: 'size', sizeOperator: '>', operands: [operand('S', '3')] })] }])).toEqual({
    TableName: 'orders', Key: key, ConditionExpression: '#0 = :0 OR size(#0) > :1', ExpressionAttributeNames: { '#0': 'state' },
    ExpressionAttributeValues: { ':0': { S: 'open' }, ':1': { N: '3' } },
  })
})

test('a transaction of writes, each with its own table and placeholders', () => {
  expect(input('TransactWriteItems', [
    { kind: 'Put', table: 'stock', item: { id: { B: 'AAE=' } } }, { kind: 'Update', actions: [action('remove', 'a')] },
    { kind: 'Delete', conditions: [condition({})], returnOnFailure: true }, { kind: 'ConditionCheck', conditions: [condition({ path: 'other' })] },
  ], 'orders', { token: 'once' })).toEqual({
    ClientRequestToken: 'once',
    TransactItems: [
      { Put: { TableName: 'stock', Item: { id: { B: 'AAE=' } } } },
      { Update: { TableName: 'orders', Key: key, UpdateExpression: 'REMOVE #0', ExpressionAttributeNames: { '#0': 'a' } } },
      { Delete: { TableName: 'orders', Key: key, ConditionExpression: '#0 = :0', ExpressionAttributeNames: { '#0': 'state' },
        ExpressionAttributeValues: { ':0': { S: 'open' } }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
      { ConditionCheck: { TableName: 'orders', Key: key, ConditionExpression: '#0 = :0', ExpressionAttributeNames: { '#0': 'other' },
        ExpressionAttributeValues: { ':0': { S: 'open' } } } },
    ],
  })
  expect(() => input('TransactWriteItems', [{ kind: 'Put' }, { kind: 'ConditionCheck' }])).toThrow('Item 2: A condition check needs a condition')
  expect(() => input('TransactWriteItems', [{ kind: 'Put' }, { table: 'gone' }])).toThrow('Item 2: There is no table gone')
})

test('a transaction of reads', () => {
  expect(input('TransactGetItems', [{ projection: 'a' }, { table: 'stock', key: record([['id', 'AA==']]) }])).toEqual({ TransactItems: [
    { Get: { TableName: 'orders', Key: key, ProjectionExpression: '#0', ExpressionAttributeNames: { '#0': 'a' } } },
    { Get: { TableName: 'stock', Key: { id: { B: 'AA==' } } } },
  ] })
})

test('batches are by table, in the order of their items', () => {
  expect(input('BatchWriteItem', [{ kind: 'Delete' }, { kind: 'Put', table: 'stock', item: { id: { B: 'AA==' } } }, { kind: 'Update', item: { customer: { S: 'bo' } } }])).toEqual({
    RequestItems: { orders: [{ DeleteRequest: { Key: key } }, { PutRequest: { Item: { customer: { S: 'bo' }, number: { N: '1' } } } }],
      stock: [{ PutRequest: { Item: { id: { B: 'AA==' } } } }] },
  })
  const read = input('BatchGetItem', [{ table: '__proto__', key: record([['a.b', 'x']]) }, {}], 'orders',
    { reads: record([['__proto__', { projection: '"a.b"', consistent: true }]]) })
  expect(JSON.stringify(read)).toBe('{"RequestItems":{"__proto__":{"Keys":[{"a.b":{"S":"x"}}],"ProjectionExpression":"#0",' +
    '"ExpressionAttributeNames":{"#0":"a.b"},"ConsistentRead":true},"orders":{"Keys":[{"customer":{"S":"ana"},"number":{"N":"7"}}]}}}')
})

test('answers about items', () => {
  const body = JSON.stringify({ CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: key }] })
  expect(reasonsOf(new Problem(400, 'TransactionCanceledException', '', body)).map((r) => r.Code)).toEqual(['None', 'ConditionalCheckFailed'])
  expect(failedItem(new Problem(400, 'ConditionalCheckFailedException', '', JSON.stringify({ Item: key })))).toEqual(key)
  expect([reasonsOf(new Problem(500, '', '', 'no JSON')), reasonsOf(new Error('x')), reasonsOf(undefined)]).toEqual([[], [], []])
  expect(unprocessed({ UnprocessedItems: { orders: [1, 2], stock: [3] } })?.count).toBe(3)
  expect(unprocessed({ UnprocessedKeys: { orders: { Keys: [key] } } })).toEqual({ count: 1, requests: { orders: { Keys: [key] } } })
  expect([unprocessed({}), unprocessed({ UnprocessedItems: {} })]).toEqual([undefined, undefined])
  expect(capacityOf({ ConsumedCapacity: { TableName: 'orders', CapacityUnits: 2 } })).toEqual([{ table: 'orders', units: 2 }])
  expect(capacityOf({ ConsumedCapacity: [{ TableName: 'orders', CapacityUnits: 2 }, { TableName: 'stock', CapacityUnits: 0.5 }] })).toHaveLength(2)
  expect(capacityOf({})).toEqual([])
})
