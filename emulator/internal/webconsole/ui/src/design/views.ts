/** The ways to read items by key: a table and each of its indexes, or a container. */
import { indexes, keyNames, type Index, type Table } from '../values/table'
import { attributesOf, exampleOf, type Entity } from './entities'
import { patternsOf, type Key } from './patterns'
import { cellOf, nameOfPath, type Row } from './rows'

export interface View {
  name: string
  keys: Key[]
  /** It has all items; an index has only those with all of its keys. */
  isWhole: boolean
  /** The attributes that it has besides the keys of the table and its own; undefined means all. */
  projected: string[] | undefined
}

/** viewsOf are the views of a table: the table, then its indexes. */
export function viewsOf(table: Table): View[] {
  const own = keysOf(table)
  return [{ name: 'Table', keys: own, isWhole: true, projected: undefined }, ...indexes(table).map((i) => viewOf(i, own))]
}

function viewOf(index: Index, own: Key[]): View {
  const { ProjectionType: type, NonKeyAttributes: more = [] } = index.Projection
  const projected = type === 'ALL' ? undefined : [...own.map((k) => k.name), ...more]
  return { name: index.IndexName, keys: keysOf(index), isWhole: false, projected }
}

function keysOf({ KeySchema: schema }: { KeySchema: Table['KeySchema'] }): Key[] {
  return keyNames(schema).map((name) => {
    const isSortKey = schema.some((k) => k.AttributeName === name && k.KeyType === 'RANGE')
    return { name, isSortKey, label: `${isSortKey ? 'SK' : 'PK'} ${name}` }
  })
}

/** viewOfContainer has the partition key and the id, which tells the items of a partition apart. */
export function viewOfContainer(paths: string[]): View {
  const names = paths.map(nameOfPath)
  return { name: 'Container', isWhole: true, projected: undefined, keys: [
    ...names.map((name) => ({ name, isSortKey: false, label: `Partition key ${name}` })),
    ...(names.includes('id') ? [] : [{ name: 'id', isSortKey: true, label: 'id' }]),
  ] }
}

/** Facet is an entity as a view has it: the patterns of its keys and the attributes that can be read there. */
export interface Facet { entity: string; count: number; patterns: string[][]; example: Row; attributes: string[] }

/** facetsOf are the entities that a view has items of. */
export function facetsOf(entities: Entity[], view: View): Facet[] {
  return entities.flatMap(({ name, rows }) => {
    const inside = view.isWhole ? rows : rows.filter((r) => view.keys.every((k) => cellOf(r, k.name)))
    if (inside.length === 0) return []
    return [{
      entity: name, count: inside.length, patterns: view.keys.map((k) => patternsOf(inside, k, view.keys)), example: exampleOf(inside),
      attributes: attributesOf(inside, view.keys).map((a) => a.name).filter((a) => !view.keys.some((k) => k.name === a))
        .filter((a) => !view.projected || view.projected.includes(a)),
    }]
  })
}
