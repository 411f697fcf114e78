/** The rules of DynamoDB for tables, indexes and items, checked before anything exists. Source: developer guide, "Quotas". */
import { attribute, typeOf, type Item } from '../values/attribute'
import type { Path } from '../values/editJson'
import { itemSize } from '../values/size'
import { allIndexes, keyAttributes, type Attribute, type Model, type ModelIndex, type ModelKey, type ModelTable } from './model'

const limits = { globals: 20, locals: 5, projectedOfTable: 100, itemBytes: 400 * 1024, nameBytes: 255 }

/** Problem is something that DynamoDB would refuse. path is the value in the model that it is about, text says it without its place. */
export interface Problem { path: Path; place: string; text: string }

/** checkModel says what DynamoDB would refuse of a model, in words. */
export function checkModel(model: Model): string[] {
  return problemsOf(model).map(textOf)
}

/** textOf is a problem with its place. */
export const textOf = ({ place, text }: Problem) => (place ? `${place}: ${text}` : text)

/** problemsOf are the problems of a model, each with its place. */
export function problemsOf(model: Model): Problem[] {
  const names = model.DataModel.map((t) => t.TableName)
  return [
    ...(model.ModelName === '' ? [{ path: ['ModelName'], place: '', text: 'The model has no ModelName' }] : []),
    ...repeated(names).map((n) => ({ path: ['DataModel', names.lastIndexOf(n), 'TableName'], place: '', text: `Two tables have the name ${n}` })),
    ...model.DataModel.flatMap((t, i) => {
      const name = t.TableName || 'A table'
      const inTable = (place: string) => ([path, text]: Found): Problem => ({ path: ['DataModel', i, ...path], place, text })
      return [...checkTable(t).map(inTable(name)), ...t.TableData.flatMap((item, n) => checkItem(t, item).map(([path, text]) =>
        inTable(`${name}: item ${n + 1}`)([['TableData', n, ...path], text]))), ...sameKeys(t).map(inTable(name))]
    }),
  ]
}

/** Found is a problem with its path in a table, an index, a key or an item. */
type Found = [path: Path, text: string]

const under = (...path: Path) => ([rest, text]: Found): Found => [[...path, ...rest], text]

function checkTable(t: ModelTable): Found[] {
  const locals = t.LocalSecondaryIndexes ?? []
  const projected = allIndexes(t).reduce((sum, x) => sum + (x.Projection.NonKeyAttributes?.length ?? 0), 0)
  const facets = t.TableFacets.map((f) => f.FacetName)
  return [
    ...checkName('the table’s name', t.TableName).map(under('TableName')),
    ...checkKey(t.KeyAttributes).map(under('KeyAttributes')),
    ...placedIndexes(t).flatMap(([path, x]) => checkIndex(x).map(under(...path))),
    ...locals.flatMap((x, i) => checkLocal(t, x).map(under('LocalSecondaryIndexes', i))),
    ...sameIndexNames(t),
    ...repeated(facets).map((n): Found => [['TableFacets', facets.lastIndexOf(n), 'FacetName'], `two facets have the name ${n}`]),
    ...facets.flatMap((n, i): Found[] => (n === '' ? [[['TableFacets', i, 'FacetName'], 'a facet has no FacetName']] : [])),
    ...(t.GlobalSecondaryIndexes.length > limits.globals ? [found(['GlobalSecondaryIndexes'], `it has ${t.GlobalSecondaryIndexes.length} global indexes; at most ${limits.globals} are allowed`)] : []),
    ...(locals.length > limits.locals ? [found(['LocalSecondaryIndexes'], `it has ${locals.length} local indexes; at most ${limits.locals} are allowed`)] : []),
    ...(projected > limits.projectedOfTable ? [found(['GlobalSecondaryIndexes'], `its indexes project ${projected} attributes; at most ${limits.projectedOfTable} are allowed`)] : []),
    ...twoTypes(t),
  ]
}

const found = (path: Path, text: string): Found => [path, text]

/** placedIndexes are the global and local indexes, each with its path in the table. */
function placedIndexes(t: ModelTable): [Path, ModelIndex][] {
  return [
    ...t.GlobalSecondaryIndexes.map((x, i): [Path, ModelIndex] => [['GlobalSecondaryIndexes', i], x]),
    ...(t.LocalSecondaryIndexes ?? []).map((x, i): [Path, ModelIndex] => [['LocalSecondaryIndexes', i], x]),
  ]
}

function sameIndexNames(t: ModelTable): Found[] {
  const all = placedIndexes(t)
  return repeated(all.map(([, x]) => x.IndexName)).map((name) => {
    const [path] = all.findLast(([, x]) => x.IndexName === name)!
    return [[...path, 'IndexName'], `two indexes have the name ${name}`]
  })
}

function checkName(what: string, name: string): Found[] {
  return /^[A-Za-z0-9_.-]{3,255}$/.test(name) ? [] : [[[], `${what} ${name && `${name} `}must have 3 to 255 of the characters A-Z, a-z, 0-9, _, - and .`]]
}

function checkKey(key: ModelKey): Found[] {
  const parts = placedKey(key)
  return [
    ...parts.flatMap(([path, a]) => checkKeyAttribute(a).map(under(...path))),
    ...(key.PartitionKey.AttributeName === key.SortKey?.AttributeName
      ? [found(['SortKey', 'AttributeName'], `${key.PartitionKey.AttributeName} is both partition key and sort key`)] : []),
  ]
}

function placedKey(key: ModelKey): [Path, Attribute][] {
  return [[['PartitionKey'], key.PartitionKey], ...(key.SortKey ? [[['SortKey'], key.SortKey] as [Path, Attribute]] : [])]
}

function checkKeyAttribute({ AttributeName: name, AttributeType: type }: Attribute): Found[] {
  if (name === '') return [[['AttributeName'], 'an attribute of a key has no name']]
  if (new TextEncoder().encode(name).length > limits.nameBytes) return [[['AttributeName'], `the name of a key attribute has more than ${limits.nameBytes} bytes`]]
  return ['S', 'N', 'B'].includes(type) ? [] : [[['AttributeType'], `the key attribute ${name} has the type ${type}; keys are S, N or B`]]
}

function checkIndex(x: ModelIndex): Found[] {
  const { ProjectionType: type, NonKeyAttributes: names = [] } = x.Projection
  const problem = !['ALL', 'KEYS_ONLY', 'INCLUDE'].includes(type) ? `has the ProjectionType ${type}; use ALL, KEYS_ONLY or INCLUDE`
    : type === 'INCLUDE' && names.length === 0 ? 'projects INCLUDE without NonKeyAttributes'
    : type !== 'INCLUDE' && names.length > 0 ? `projects ${type}, which has no NonKeyAttributes` : ''
  const path: Path = ['Projection', type === 'INCLUDE' ? 'NonKeyAttributes' : 'ProjectionType']
  return [
    ...checkName('the index’s name', x.IndexName).map(under('IndexName')), ...checkKey(x.KeyAttributes).map(under('KeyAttributes')),
    ...(problem ? [found(path, `the index ${x.IndexName} ${problem}`)] : []),
  ]
}

function checkLocal(t: ModelTable, x: ModelIndex): Found[] {
  if (!t.KeyAttributes.SortKey) return [[['IndexName'], `the local index ${x.IndexName} needs a table with a sort key`]]
  if (!x.KeyAttributes.SortKey) return [[['KeyAttributes', 'SortKey', 'AttributeName'], `the local index ${x.IndexName} has no sort key`]]
  const { PartitionKey: own } = t.KeyAttributes
  return x.KeyAttributes.PartitionKey.AttributeName === own.AttributeName ? []
    : [[['KeyAttributes', 'PartitionKey', 'AttributeName'], `the local index ${x.IndexName} must have the table’s partition key ${own.AttributeName}`]]
}

/** placedKeys are the attributes of all keys, each with its path in the table. */
function placedKeys(t: ModelTable): [Path, Attribute][] {
  return [[[] as Path, t] as const, ...placedIndexes(t)].flatMap(([path, of]) =>
    placedKey(of.KeyAttributes).map(([part, a]): [Path, Attribute] => [[...path, 'KeyAttributes', ...part], a]))
}

function twoTypes(t: ModelTable): Found[] {
  const types = new Map<string, Set<string>>()
  const last = new Map<string, Path>()
  for (const [path, a] of placedKeys(t)) {
    types.set(a.AttributeName, (types.get(a.AttributeName) ?? new Set()).add(a.AttributeType))
    last.set(a.AttributeName, [...path, 'AttributeType'])
  }
  return [...types].filter(([, of]) => of.size > 1).map(([name, of]) => [last.get(name)!, `the key attribute ${name} has several types: ${[...of].join(', ')}`])
}

function sameKeys(t: ModelTable): Found[] {
  const own = keyAttributes(t.KeyAttributes)
  const keys = t.TableData.map((item) => JSON.stringify(own.map((k) => attribute(item, k.AttributeName))))
  return repeated(keys).map((key) => {
    const last = keys.lastIndexOf(key)
    return [['TableData', last, own[0]!.AttributeName], `items ${keys.indexOf(key) + 1} and ${last + 1} have the same key`]
  })
}

/** checkItem checks the keys of a sample item, also of the indexes it is in, and its size. */
function checkItem(t: ModelTable, item: Item): Found[] {
  const own = keyAttributes(t.KeyAttributes)
  const others = placedKeys(t).map(([, a]) => a).filter((a) => !own.some((k) => k.AttributeName === a.AttributeName))
  const wrong = (a: Attribute, isOwn: boolean): Found[] => {
    const value = attribute(item, a.AttributeName)
    const say = (text: string): Found[] => [[[a.AttributeName], text]]
    if (!value) return isOwn ? say(`the key attribute ${a.AttributeName} is missing`) : []
    if (typeOf(value) !== a.AttributeType) return say(`${a.AttributeName} has the type ${typeOf(value)}, but the key has ${a.AttributeType}`)
    return Object.values(value)[0] === '' ? say(`the key attribute ${a.AttributeName} is empty`) : []
  }
  const size = itemSize(item)
  return [
    ...own.flatMap((a) => wrong(a, true)), ...others.flatMap((a) => wrong(a, false)),
    ...(size > limits.itemBytes ? [found([], `it has ${size.toLocaleString('en-US')} bytes; at most ${limits.itemBytes.toLocaleString('en-US')} are allowed`)] : []),
  ]
}

function repeated(names: string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
}
