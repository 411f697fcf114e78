import { describe, expect, test } from 'vitest'
import type { AttributeType, AttributeValue } from '../values/attribute'
import { cellText, cellValue } from './cells'
import { checkModel, problemsOf } from './check'
import { attributesOf, declare, editOf, errorAt, newTable, unused, within } from './edit'
import { modelTable, newModel, printModel, readModel } from './model'
import { blank, templates } from './templates'

/** A model with members that the form does not know, as later versions of NoSQL Workbench may write them. */
const foreign = `{
  "ModelName": "Shop", "Later": {"n": 1.0000000000000000001},
  "ModelMetadata": {"Author": "Ana", "Version": "3.0"},
  "DataModel": [
    {
      "TableName": "shop",
      "KeyAttributes": {"PartitionKey": {"AttributeName": "pk", "AttributeType": "S", "Later": true}},
      "TableFacets": [{"FacetName": "User", "TableData": [], "KeyAttributeAlias": {"PartitionKeyAlias": "USER#{id}"}}],
      "AccessPatterns": [{"Name": "all users"}],
      "BillingMode": "PROVISIONED",
      "ProvisionedCapacitySettings": {"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}},
      "TableData": [{"pk": {"S": "USER#1"}, "__proto__": {"S": "x"}}]
    }
  ]
}`

/** draft is a text that an edit changes. */
function draft(text: string) {
  const own = { text }
  return { own, edit: editOf(() => own.text, (next) => { own.text = next }) }
}

describe('edits', () => {
  test('change only what they are about', () => {
    const { own, edit } = draft(foreign)
    const table = within(edit, 'DataModel', 0)
    table.put(['TableName'], 'store')
    table.put(['KeyAttributes', 'SortKey'], { AttributeName: 'sk', AttributeType: 'N' })
    table.put(['TableFacets', 0, 'KeyAttributeAlias', 'SortKeyAlias'], 'PROFILE')
    table.put(['TableData', 0, 'sk'], { N: '1' })
    const want = JSON.parse(foreign) as { DataModel: Record<string, never>[] }
    Object.assign(want.DataModel[0]!, { TableName: 'store' })
    Object.assign(want.DataModel[0]!['KeyAttributes']!, { SortKey: { AttributeName: 'sk', AttributeType: 'N' } })
    Object.assign(want.DataModel[0]!['TableFacets']![0]!['KeyAttributeAlias'], { SortKeyAlias: 'PROFILE' })
    Object.assign(want.DataModel[0]!['TableData']![0]!, { sk: { N: '1' } })
    expect(JSON.parse(own.text)).toEqual(want)
    expect(own.text).toContain('1.0000000000000000001')
    table.remove(['TableData', 0, 'sk'])
    table.remove(['TableFacets', 0, 'KeyAttributeAlias', 'SortKeyAlias'])
    table.remove(['KeyAttributes', 'SortKey'])
    table.put(['TableName'], 'shop')
    expect(own.text).toBe(foreign)
  })

  test.each([...templates, blank].map((make) => [make().ModelName, make()] as const))('%s: tables, indexes, facets and items come and go', (_, made) => {
    const { own, edit } = draft(printModel(made))
    const before = own.text
    const at = made.DataModel.length
    const added = newTable(made.DataModel)
    edit.put(['DataModel', at], added)
    const table = within(edit, 'DataModel', at)
    const index = { IndexName: 'by-a', KeyAttributes: { PartitionKey: { AttributeName: 'a', AttributeType: 'N' as const } }, Projection: { ProjectionType: 'ALL' } }
    const facet = { FacetName: 'One', KeyAttributeAlias: { PartitionKeyAlias: '{id}' }, NonKeyAttributes: ['a'] }
    table.put(['GlobalSecondaryIndexes', 0], index)
    table.put(['TableFacets', 0], facet)
    declare(added, table, [index.KeyAttributes.PartitionKey, { AttributeName: 'pk', AttributeType: 'S' }])
    table.put(['TableData', 0], { pk: { S: 'x' }, a: { N: '1' } })
    const model = readModel(own.text)
    expect(checkModel(model)).toEqual([])
    expect(model.DataModel[at]).toEqual({
      ...added, GlobalSecondaryIndexes: [index], TableFacets: [facet], TableData: [{ pk: { S: 'x' }, a: { N: '1' } }],
      NonKeyAttributes: [{ AttributeName: 'a', AttributeType: 'N' }],
    })
    edit.remove(['DataModel', at])
    expect(own.text).toBe(before)
  })

  test('names that are not used yet', () => {
    expect(unused('a', [])).toBe('a')
    expect(unused('a', ['a', 'a-2'])).toBe('a-3')
  })

  test('the attributes of a table', () => {
    const table = { ...modelTable('t', { PartitionKey: { AttributeName: 'pk', AttributeType: 'S' } }, {}), TableData: [{ pk: { S: 'a' }, n: { N: '1' } }] }
    expect(attributesOf(table).map((a) => `${a.AttributeName} ${a.AttributeType}`)).toEqual(['pk S', 'n N'])
  })
})

test('problems are at their fields', () => {
  const model = newModel('', '', [{
    ...modelTable('a b', { PartitionKey: { AttributeName: 'pk', AttributeType: 'S' } }, {
      locals: [{ IndexName: 'one', KeyAttributes: { PartitionKey: { AttributeName: 'pk', AttributeType: 'N' } }, Projection: { ProjectionType: 'INCLUDE' } }],
      items: [{ pk: { S: 'a' } }, { pk: { N: '1' } }, { pk: { S: 'a' } }],
    }),
    TableFacets: [{ FacetName: '', KeyAttributeAlias: { PartitionKeyAlias: '' }, NonKeyAttributes: [] }],
  }])
  const problems = problemsOf(model)
  const error = errorAt(problems, 'DataModel', 0)
  expect(errorAt(problems)('ModelName')).toBe('The model has no ModelName')
  expect(error('TableName')).toContain('must have 3 to 255')
  expect(error('TableFacets', 0, 'FacetName')).toBe('a facet has no FacetName')
  expect(error('LocalSecondaryIndexes', 0, 'IndexName')).toContain('needs a table with a sort key')
  expect(error('LocalSecondaryIndexes', 0, 'Projection', 'NonKeyAttributes')).toBe('the index one projects INCLUDE without NonKeyAttributes')
  expect(error('LocalSecondaryIndexes', 0, 'KeyAttributes', 'PartitionKey', 'AttributeType')).toContain('several types: S, N')
  expect(error('TableData', 1, 'pk')).toBe('pk has the type N, but the key has S; pk has the type N, but the key has S'.split('; ')[0])
  expect(error('TableData', 2, 'pk')).toBe('items 1 and 3 have the same key')
  expect(error('GlobalSecondaryIndexes')).toBe('')
})

describe('cells', () => {
  test.each<[AttributeValue, string]>([
    [{ S: 'a"b' }, 'a"b'], [{ N: '1.50' }, '1.50'], [{ B: 'AAE=' }, 'AAE='], [{ BOOL: false }, 'false'], [{ NULL: true }, 'true'],
    [{ SS: ['a', 'b'] }, '["a","b"]'], [{ L: [{ N: '1' }] }, '[{"N":"1"}]'], [{ M: { a: { S: 'b' } } }, '{"a":{"S":"b"}}'],
  ])('%j', (value, text) => {
    expect(cellText(value)).toBe(text)
    expect(cellValue(Object.keys(value)[0] as AttributeType, text)).toEqual(value)
  })

  test.each<[AttributeType, string]>([['N', 'x'], ['B', '!'], ['BOOL', 'yes'], ['SS', 'a'], ['NS', '["x"]'], ['L', '1'], ['M', '{']])('%s is not %s', (type, text) =>
    expect(() => cellValue(type, text)).toThrow(Error))
})
