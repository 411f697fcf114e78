import { describe, expect, test } from 'vitest'
import { demoItems } from '../pages/home/demo'
import { record } from '../values/attribute'
import { parse } from '../values/losslessJson'
import type { Table } from '../values/table'
import { attributesOf, entitiesOf, exampleOf, typeAttributes, usualAttribute } from './entities'
import { patternsOf, type Key } from './patterns'
import { rowOfDocument, rowOfItem, type Row } from './rows'
import { shapeOf } from './tokens'
import { facetsOf, viewOfContainer, viewsOf } from './views'

const pk: Key = { name: 'pk', isSortKey: false, label: 'PK pk' }
const sk: Key = { name: 'sk', isSortKey: true, label: 'SK sk' }
const keys = [pk, sk]

/** rows have the given keys, and a number that tells them apart. */
function rows(...pairs: [string, string][]): Row[] {
  return pairs.map(([p, s], i) => rowOfItem({ pk: { S: p }, sk: { S: s }, n: { N: String(i + 100) } }))
}

const shop: Table = {
  TableName: 'demo-shop', TableArn: '', TableStatus: 'ACTIVE', ItemCount: 40, TableSizeBytes: 0, CreationDateTime: 0,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  GlobalSecondaryIndexes: [{
    IndexName: 'gsi1', KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total'] },
  }],
}

describe('the shape of a key', () => {
  test.each([
    ['USER#123', 'USER#<…>'], ['user#ana', 'user#<…>'], ['user:ana:7', 'user:<…>:<…>'], ['ana', '<…>'], ['', '<…>'],
    ['STATE#OPEN', 'STATE#<…>'], ['tenant#acme#user#7', 'tenant#<…>#user#<…>'], ['PROFILE', 'PROFILE'], ['order_1001', 'order_<…>'],
    ['2026-03-01T09:30:00Z', '<…>'], ['https://example.com/a', '<…>'], ['#', '<…>#<…>'], ['a#b#', 'a#<…>#<…>'],
  ])('%s', (value, shape) => expect(shapeOf(value, false)).toBe(shape))

  test('a second word in capitals is a name in a sort key only', () => {
    expect(shapeOf('ORDER#SUMMARY', true)).toBe('ORDER#SUMMARY')
    expect(shapeOf('ORDER#SUMMARY', false)).toBe('ORDER#<…>')
  })
})

describe('the patterns of keys', () => {
  test('what follows the name is a number, a date, a UUID, or an attribute of the item', () => {
    const of = (...values: string[]) => patternsOf(rows(...values.map((v): [string, string] => [v, 'x'])), pk, keys)
    expect(of('ORDER#1001', 'ORDER#1002')).toEqual(['ORDER#<number>'])
    expect(of('DAY#2026-03-01', 'DAY#2026-03-02T10:00:00.5Z')).toEqual(['DAY#<date>'])
    expect(of('X#123e4567-e89b-12d3-a456-426614174000')).toEqual(['X#<UUID>'])
    expect(of('USER#ana', 'USER#7')).toEqual(['USER#<…>'])
    const named = ['ana', 'ben'].map((id) => rowOfItem({ pk: { S: `USER#${id}` }, sk: { S: 'PROFILE' }, userId: { S: id } }))
    expect(patternsOf(named, pk, keys)).toEqual(['USER#<userId>'])
  })

  test('those of most items come first', () => {
    expect(patternsOf(rows(['A#1', 'x'], ['B#1', 'x'], ['B#2', 'x']), pk, keys)).toEqual(['B#<number>', 'A#<number>'])
  })

  test('a sort key that all partitions have is a name', () => {
    expect(patternsOf(rows(['USER#1', 'profile'], ['USER#2', 'profile']), sk, keys)).toEqual(['profile'])
    expect(patternsOf(rows(['USER#1', 'profile']), sk, keys)).toEqual(['<…>'])
  })

  test('numbers, binary and absent keys', () => {
    expect(patternsOf([rowOfItem({ pk: { N: '7' } }), rowOfItem({ pk: { B: 'AAE=' } }), rowOfItem({})], pk, keys).sort())
      .toEqual(['<binary>', '<number>', 'absent'])
  })
})

describe('entities', () => {
  const demo = demoItems().map(rowOfItem)

  test('an attribute with a usual name says what an item is', () => {
    expect(usualAttribute(demo, keys)).toBe('type')
    expect(entitiesOf(demo, 'type', keys).map((e) => `${e.name} ${e.rows.length}`)).toEqual(['line 20', 'order 12', 'customer 4', 'product 4'])
  })

  test('the shape of the keys finds the same', () => {
    expect(entitiesOf(demo, '', keys).map((e) => `${e.name}: ${e.rows.length}`)).toEqual([
      'ORDER#<…> / LINE#<…>: 20', 'CUSTOMER#<…> / ORDER#<…>: 12', 'CUSTOMER#<…> / PROFILE: 4', 'PRODUCT#<…> / PRODUCT: 4',
    ])
  })

  test('keys without names are one entity, and an item without the attribute has the shape of its keys', () => {
    expect(entitiesOf(rows(['ana', '1'], ['ben', '2']), '', keys).map((e) => e.name)).toEqual(['Items'])
    expect(entitiesOf([...demo, ...rows(['USER#1', 'PROFILE'])], 'type', keys).at(-1)!.name).toBe('USER#<…> / PROFILE')
  })

  test('attributes whose values do not repeat, or are too many, are no types', () => {
    const many = Array.from({ length: 200 }, (_, i) => rowOfItem({ pk: { S: String(i) }, sk: { S: 'a' }, colour: { S: String(i % 3) }, name: { S: `n${i}` }, state: { N: '1' } }))
    expect(typeAttributes(many, keys)).toEqual(['colour'])
    expect(usualAttribute(many, keys)).toBe('')
  })

  test('attributes with the types and the number of items', () => {
    const some = [rowOfItem({ sk: { S: '1' }, pk: { S: 'a' }, x: { N: '1' } }), rowOfItem({ pk: { S: 'a' }, sk: { S: '2' }, x: { S: '1' }, a: { NULL: true }, ...record([['__proto__', { S: 'p' }]]) })]
    expect(attributesOf(some, keys)).toEqual([
      { name: 'pk', types: ['String'], count: 2 }, { name: 'sk', types: ['String'], count: 2 }, { name: 'x', types: ['Number', 'String'], count: 2 },
      { name: '__proto__', types: ['String'], count: 1 }, { name: 'a', types: ['Null'], count: 1 },
    ])
    expect(exampleOf(some)).toBe(some[1])
  })
})

describe('views', () => {
  test('an index has the entities with its keys, and the attributes that it projects', () => {
    const [table, index] = viewsOf(shop)
    const entities = entitiesOf(demoItems().map(rowOfItem), 'type', keys)
    expect(facetsOf(entities, table!).map((f) => [f.entity, ...f.patterns.flat()])).toEqual([
      ['line', 'ORDER#<number>', 'LINE#<number>'], ['order', 'CUSTOMER#<…>', 'ORDER#<number>'],
      ['customer', 'CUSTOMER#<…>', 'PROFILE'], ['product', 'PRODUCT#<…>', 'PRODUCT'],
    ])
    expect(facetsOf(entities, index!).map((f) => [f.entity, f.count, ...f.patterns.flat(), f.attributes.join()])).toEqual([
      ['line', 20, 'PRODUCT#<…>', 'ORDER#<number>', 'pk,sk'], ['order', 12, 'STATE#<state>', '<placed>', 'pk,sk,total'],
      ['customer', 4, 'CITY#<…>', 'CUSTOMER#<…>', 'pk,sk'],
    ])
  })

  test('a container has the properties inside items that its partition key is made of, and items without them', () => {
    const paths = ['/address/city', '/tenant']
    const documents = ['{"id":"1","tenant":7,"address":{"city":"Lagos"},"_ts":1,"type":"a"}', '{"id":"2","type":"a"}'].map((d) => rowOfDocument(parse(d), paths))
    const view = viewOfContainer(paths)
    expect(facetsOf(entitiesOf(documents, 'type', view.keys), view)).toMatchObject([
      { entity: 'a', count: 2, patterns: [['<…>', 'absent'], ['<number>', 'absent'], ['<number>']], attributes: ['type', 'address'] },
    ])
    expect(viewOfContainer(['/id']).keys).toEqual([{ name: 'id', isSortKey: false, label: 'Partition key id' }])
  })
})
