/** The rules of DynamoDB for tables, indexes and items, checked before anything exists. Source: developer guide, "Quotas". */
import { attribute, typeOf, type Item } from '../values/attribute'
import { itemSize } from '../values/size'
import { allIndexes, keyAttributes, type Attribute, type Model, type ModelIndex, type ModelTable } from './model'

const limits = { globals: 20, locals: 5, projectedOfTable: 100, itemBytes: 400 * 1024, nameBytes: 255 }

/** checkModel says what DynamoDB would refuse of a model, in words. */
export function checkModel(model: Model): string[] {
  return [
    ...(model.ModelName === '' ? ['The model has no ModelName'] : []),
    ...repeated(model.DataModel.map((t) => t.TableName)).map((n) => `Two tables have the name ${n}`),
    ...model.DataModel.flatMap((t) => [...checkTable(t), ...checkItems(t)].map((problem) => `${t.TableName || 'A table'}: ${problem}`)),
  ]
}

function checkTable(t: ModelTable): string[] {
  const locals = t.LocalSecondaryIndexes ?? []
  const projected = allIndexes(t).reduce((sum, x) => sum + (x.Projection.NonKeyAttributes?.length ?? 0), 0)
  return [
    ...checkName('the table’s name', t.TableName),
    ...keyAttributes(t.KeyAttributes).flatMap(checkKeyAttribute), ...sameNames(t.KeyAttributes.PartitionKey, t.KeyAttributes.SortKey),
    ...allIndexes(t).flatMap(checkIndex),
    ...locals.flatMap((x) => checkLocal(t, x)),
    ...repeated(allIndexes(t).map((x) => x.IndexName)).map((n) => `two indexes have the name ${n}`),
    ...repeated(t.TableFacets.map((f) => f.FacetName)).map((n) => `two facets have the name ${n}`),
    ...(t.TableFacets.some((f) => f.FacetName === '') ? ['a facet has no FacetName'] : []),
    ...(t.GlobalSecondaryIndexes.length > limits.globals ? [`it has ${t.GlobalSecondaryIndexes.length} global indexes; at most ${limits.globals} are allowed`] : []),
    ...(locals.length > limits.locals ? [`it has ${locals.length} local indexes; at most ${limits.locals} are allowed`] : []),
    ...(projected > limits.projectedOfTable ? [`its indexes project ${projected} attributes; at most ${limits.projectedOfTable} are allowed`] : []),
    ...twoTypes(t),
  ]
}

function checkName(what: string, name: string): string[] {
  return /^[A-Za-z0-9_.-]{3,255}$/.test(name) ? [] : [`${what} ${name && `${name} `}must have 3 to 255 of the characters A-Z, a-z, 0-9, _, - and .`]
}

function checkKeyAttribute({ AttributeName: name, AttributeType: type }: Attribute): string[] {
  if (name === '') return ['an attribute of a key has no name']
  if (new TextEncoder().encode(name).length > limits.nameBytes) return [`the name of a key attribute has more than ${limits.nameBytes} bytes`]
  return ['S', 'N', 'B'].includes(type) ? [] : [`the key attribute ${name} has the type ${type}; keys are S, N or B`]
}

function sameNames(partition: Attribute, sort: Attribute | undefined): string[] {
  return partition.AttributeName === sort?.AttributeName ? [`${partition.AttributeName} is both partition key and sort key`] : []
}

function checkIndex(x: ModelIndex): string[] {
  const { ProjectionType: type, NonKeyAttributes: names = [] } = x.Projection
  const problem = !['ALL', 'KEYS_ONLY', 'INCLUDE'].includes(type) ? `has the ProjectionType ${type}; use ALL, KEYS_ONLY or INCLUDE`
    : type === 'INCLUDE' && names.length === 0 ? 'projects INCLUDE without NonKeyAttributes'
    : type !== 'INCLUDE' && names.length > 0 ? `projects ${type}, which has no NonKeyAttributes` : ''
  return [
    ...checkName('the index’s name', x.IndexName), ...keyAttributes(x.KeyAttributes).flatMap(checkKeyAttribute),
    ...sameNames(x.KeyAttributes.PartitionKey, x.KeyAttributes.SortKey), ...(problem ? [`the index ${x.IndexName} ${problem}`] : []),
  ]
}

function checkLocal(t: ModelTable, x: ModelIndex): string[] {
  if (!t.KeyAttributes.SortKey) return [`the local index ${x.IndexName} needs a table with a sort key`]
  if (!x.KeyAttributes.SortKey) return [`the local index ${x.IndexName} has no sort key`]
  const { PartitionKey: own } = t.KeyAttributes
  return x.KeyAttributes.PartitionKey.AttributeName === own.AttributeName ? [] : [`the local index ${x.IndexName} must have the table’s partition key ${own.AttributeName}`]
}

function allKeyAttributes(t: ModelTable): Attribute[] {
  return [t.KeyAttributes, ...allIndexes(t).map((x) => x.KeyAttributes)].flatMap(keyAttributes)
}

function twoTypes(t: ModelTable): string[] {
  const types = new Map<string, Set<string>>()
  for (const a of allKeyAttributes(t)) types.set(a.AttributeName, (types.get(a.AttributeName) ?? new Set()).add(a.AttributeType))
  return [...types].filter(([, of]) => of.size > 1).map(([name, of]) => `the key attribute ${name} has several types: ${[...of].join(', ')}`)
}

/** checkItems checks the keys of the sample items, also of the indexes they are in, and their size. */
function checkItems(t: ModelTable): string[] {
  const own = keyAttributes(t.KeyAttributes)
  const others = allKeyAttributes(t).filter((a) => !own.some((k) => k.AttributeName === a.AttributeName))
  const keys = t.TableData.map((item) => JSON.stringify(own.map((k) => attribute(item, k.AttributeName))))
  return [
    ...t.TableData.flatMap((item, i) => checkItem(item, own, others).map((problem) => `item ${i + 1}: ${problem}`)),
    ...repeated(keys).map((key) => `items ${keys.indexOf(key) + 1} and ${keys.lastIndexOf(key) + 1} have the same key`),
  ]
}

function checkItem(item: Item, own: Attribute[], others: Attribute[]): string[] {
  const wrong = (a: Attribute, isOwn: boolean): string[] => {
    const value = attribute(item, a.AttributeName)
    if (!value) return isOwn ? [`the key attribute ${a.AttributeName} is missing`] : []
    if (typeOf(value) !== a.AttributeType) return [`${a.AttributeName} has the type ${typeOf(value)}, but the key has ${a.AttributeType}`]
    return Object.values(value)[0] === '' ? [`the key attribute ${a.AttributeName} is empty`] : []
  }
  const size = itemSize(item)
  return [
    ...own.flatMap((a) => wrong(a, true)), ...others.flatMap((a) => wrong(a, false)),
    ...(size > limits.itemBytes ? [`it has ${size.toLocaleString('en-US')} bytes; at most ${limits.itemBytes.toLocaleString('en-US')} are allowed`] : []),
  ]
}

function repeated(names: string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
}
