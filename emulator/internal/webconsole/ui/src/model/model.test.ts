import { describe, expect, test } from 'vitest'
import { checkModel } from './check'
import { modelTable, newModel, printModel, readModel, type Model, type ModelIndex, type ModelKey } from './model'
import { matches, pictureOf } from './picture'
import { blank, templates } from './templates'

const key = (partition: string, sort?: string): ModelKey => ({
  PartitionKey: { AttributeName: partition, AttributeType: 'S' }, ...(sort && { SortKey: { AttributeName: sort, AttributeType: 'S' as const } }),
})
const index = (IndexName: string, of = key('a')): ModelIndex => ({ IndexName, KeyAttributes: of, Projection: { ProjectionType: 'ALL' } })
const model = (change: Parameters<typeof modelTable>[2] = {}, of = key('pk', 'sk'), name = 'orders') => newModel('m', '', [modelTable(name, of, change)])
const many = (n: number) => Array.from({ length: n }, (_, i) => index(`index-${i}`, key('pk', `a${i}`)))

describe('samples', () => {
  test.each([...templates, blank].map((make) => [make().ModelName, make()] as const))('%s is allowed, and survives its file', (_, made) => {
    expect(checkModel(made)).toEqual([])
    expect(readModel(printModel(made))).toEqual(made)
    for (const table of made.DataModel) {
      const { views, entities } = pictureOf(table)
      expect(views[0]!.facets.map((f) => f.entity)).toEqual(table.TableFacets.map((f) => f.FacetName))
      expect(entities.reduce((sum, e) => sum + e.rows.length, 0)).toBe(table.TableData.length)
    }
  })
})

describe('rules', () => {
  const cases: [string, Model, string][] = [
    ['name', model({}, key('pk'), 'a b'), 'a b: the table’s name a b must have 3 to 255 of the characters A-Z, a-z, 0-9, _, - and .'],
    ['same key', model({}, key('pk', 'pk')), 'orders: pk is both partition key and sort key'],
    ['key type', model({ indexes: [index('by-x', { PartitionKey: { AttributeName: 'x', AttributeType: 'BOOL' } })] }), 'orders: the key attribute x has the type BOOL; keys are S, N or B'],
    ['21 global indexes', model({ indexes: many(21) }), 'orders: it has 21 global indexes; at most 20 are allowed'],
    ['6 local indexes', model({ locals: many(6) }), 'orders: it has 6 local indexes; at most 5 are allowed'],
    ['local index without sort key', model({ locals: [index('one', key('pk', 'a'))] }, key('pk')), 'orders: the local index one needs a table with a sort key'],
    ['local index with another key', model({ locals: [index('one', key('a', 'b'))] }), 'orders: the local index one must have the table’s partition key pk'],
    ['two indexes', model({ indexes: [index('one'), index('one')] }), 'orders: two indexes have the name one'],
    ['two types', model({ indexes: [index('one', { PartitionKey: { AttributeName: 'pk', AttributeType: 'N' } })] }), 'orders: the key attribute pk has several types: S, N'],
    ['projection', model({ indexes: [{ ...index('one'), Projection: { ProjectionType: 'INCLUDE' } }] }), 'orders: the index one projects INCLUDE without NonKeyAttributes'],
    ['missing key', model({ items: [{ pk: { S: 'a' } }] }), 'orders: item 1: the key attribute sk is missing'],
    ['key of another type', model({ items: [{ pk: { S: 'a' }, sk: { N: '1' } }] }), 'orders: item 1: sk has the type N, but the key has S'],
    ['index key of another type', model({ indexes: [index('one')], items: [{ pk: { S: 'a' }, sk: { S: 'b' }, a: { N: '1' } }] }), 'orders: item 1: a has the type N, but the key has S'],
    ['empty key', model({ items: [{ pk: { S: '' }, sk: { S: 'b' } }] }), 'orders: item 1: the key attribute pk is empty'],
    ['same item', model({ items: [{ pk: { S: 'a' }, sk: { S: 'b' } }, { pk: { S: 'a' }, sk: { S: 'b' } }] }), 'orders: items 1 and 2 have the same key'],
  ]
  test.each(cases)('%s', (_, of, problem) => expect(checkModel(of)).toEqual([problem]))

  test('as many indexes as are allowed', () => expect(checkModel(model({ indexes: many(20) }))).toEqual([]))
})

describe('files', () => {
  test.each([
    ['{', 'A name'], ['[]', 'A model has an array DataModel'], ['{"DataModel":[{}]}', 'Table 1 has no TableName'],
    ['{"DataModel":[{"TableName":"a"}]}', 'Table 1 has no PartitionKey'],
    ['{"DataModel":[{"TableName":"a","KeyAttributes":{"PartitionKey":{}},"TableData":[{"a":{"N":1}}]}]}', 'Table 1, item 1: A number is written in quotes'],
    ['{"DataModel":[{"TableName":"a","KeyAttributes":{"PartitionKey":{}},"TableFacets":[1]}]}', 'Table 1: TableFacets is an array of objects'],
  ])('%s', (text, message) => expect(() => readModel(text)).toThrow(message === 'A name' ? Error : message))
})

describe('the picture', () => {
  test.each([['USER#{id}', 'USER#1', true], ['USER#{id}', 'ORDER#1', false], ['a.<b>', 'axc', false], ['<…>', '', true], ['{x}', 'line\nline', true]])(
    '%s %s', (pattern, value, is) => expect(matches(pattern, value)).toBe(is))

  test('facets without samples, and samples without facets', () => {
    const table = modelTable('t', key('pk', 'sk'), {
      facets: [
        { FacetName: 'User', KeyAttributeAlias: { PartitionKeyAlias: 'USER#{id}', SortKeyAlias: 'PROFILE' }, NonKeyAttributes: ['name'] },
        { FacetName: 'Any', KeyAttributeAlias: { PartitionKeyAlias: 'NOTE', SortKeyAlias: 'sk' }, NonKeyAttributes: [] },
      ],
      items: [{ pk: { S: 'USER#1' }, sk: { S: 'PROFILE' } }, { pk: { S: 'TEAM#1' }, sk: { S: 'TEAM' } }],
    })
    expect(pictureOf(table).views[0]!.facets.map((f) => [f.entity, f.count, ...f.patterns.flat()])).toEqual([
      ['User', 1, 'USER#<id>', 'PROFILE'], ['Any', 0, 'NOTE', '<…>'], ['TEAM#<…> / TEAM', 1, 'TEAM#<number>', 'TEAM'],
    ])
  })
})
