/** Which kinds of items a table or container holds, by an attribute that says so or by the shape of the keys. */
import { record } from '../values/attribute'
import type { Key } from './patterns'
import { cellOf, groupBy, type Cell, type Row } from './rows'
import { shapeOf } from './tokens'

export interface Entity { name: string; rows: Row[] }

/** Names that designs give to the attribute with the kind of an item: DynamoDB-Toolbox has _et, ElectroDB __edb_e__. */
const usual = ['type', 'entity', '_et', '__edb_e__', 'entitytype', 'entity_type', '_type', '$type', '__typename', 'itemtype', 'doctype', 'documenttype', 'kind', 'discriminator']

/** The most values of an attribute that says what an item is. */
const mostKinds = 50

/** typeAttributes are the attributes that can say what an item is, those with usual names first. */
export function typeAttributes(rows: Row[], keys: Key[]): string[] {
  const values = record<{ count: number; distinct: Set<string> }>()
  for (const row of rows) {
    for (const [name, cell] of Object.entries(row)) {
      if (cell.type !== 'String' || keys.some((k) => k.name === name)) continue
      const of = (values[name] ??= { count: 0, distinct: new Set() })
      of.count++
      if (of.distinct.size <= mostKinds) of.distinct.add(cell.text)
    }
  }
  const rank = (name: string) => (isUsual(name) ? usual.indexOf(name.toLowerCase()) : usual.length)
  const repeats = (name: string) => values[name]!.distinct.size < values[name]!.count
  return Object.keys(values)
    .filter((name) => values[name]!.distinct.size <= mostKinds && (isUsual(name) || (repeats(name) && values[name]!.count * 2 >= rows.length)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function isUsual(name: string): boolean {
  return usual.includes(name.toLowerCase())
}

/** usualAttribute is the attribute that says what the items are, by its name and because half of them have it; or ''. */
export function usualAttribute(rows: Row[], keys: Key[]): string {
  return typeAttributes(rows, keys).find((name) => isUsual(name) && rows.filter((r) => cellOf(r, name)).length * 2 >= rows.length) ?? ''
}

/** entitiesOf groups items by an attribute; those without it, and all if it is '', by the shape of their keys. */
export function entitiesOf(rows: Row[], attribute: string, keys: Key[]): Entity[] {
  const kindOf = (row: Row) => (attribute ? cellOf(row, attribute) : undefined)
  const named = groupBy(rows.filter(kindOf), (row) => kindOf(row)!.text)
  const shaped = groupBy(rows.filter((row) => !kindOf(row)), (row) => shapeOfRow(row, keys))
  return [...named, ...shaped].map(([name, group]) => ({ name, rows: group }))
    .sort((a, b) => b.rows.length - a.rows.length || (a.name < b.name ? -1 : 1))
}

/** shapeOfRow is the shape of an item's key, such as USER#<…> / PROFILE. */
function shapeOfRow(row: Row, keys: Key[]): string {
  const shapes = keys.map((k) => shapeOfCell(cellOf(row, k.name), k.isSortKey))
  return shapes.some((s) => /[^<>…]/.test(s)) ? shapes.join(' / ') : 'Items'
}

function shapeOfCell(cell: Cell | undefined, isSortKey: boolean): string {
  return cell?.type === 'String' ? shapeOf(cell.text, isSortKey) : '<…>'
}

/** Attribute is an attribute of the items of a kind, with its types and how many of them have it. */
export interface Attribute { name: string; types: string[]; count: number }

/** attributesOf lists the attributes of some items: the keys first, then those of most items. */
export function attributesOf(rows: Row[], keys: Key[]): Attribute[] {
  const found = record<{ types: Set<string>; count: number }>()
  for (const row of rows) {
    for (const [name, cell] of Object.entries(row)) {
      const of = (found[name] ??= { types: new Set(), count: 0 })
      of.types.add(cell.type)
      of.count++
    }
  }
  const place = (name: string) => (keys.some((k) => k.name === name) ? keys.findIndex((k) => k.name === name) : keys.length)
  return Object.entries(found).map(([name, { types, count }]) => ({ name, types: [...types].sort(), count }))
    .sort((a, b) => place(a.name) - place(b.name) || b.count - a.count || (a.name < b.name ? -1 : 1))
}

/** exampleOf is the item with the most attributes. */
export function exampleOf(rows: Row[]): Row {
  return rows.reduce((best, row) => (Object.keys(row).length > Object.keys(best).length ? row : best))
}
