/** Items of either service as the picture of a design needs them: each attribute with its type and a line of text. */
import { cut, display, record, typeNames, typeOf, type Item } from '../values/attribute'
import { own } from '../values/document'
import { member, plain, type Node } from '../values/losslessJson'

/** Cell is an attribute of an item. style is the class that colours its type. */
export interface Cell { type: string; style: string; text: string }

export type Row = Record<string, Cell>

/** The most characters of a value that are kept: a key of DynamoDB has up to 2,048 bytes, one of Cosmos DB also. */
const longest = 2048

export function cellOf(row: Row, name: string): Cell | undefined {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

export function groupBy(rows: Row[], name: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = name(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

export function rowOfItem(item: Item): Row {
  return record(Object.entries(item).map(([name, value]) => {
    const type = typeOf(value)
    return [name, { type: typeNames[type], style: `v-${type}`, text: display(value, longest) }] as const
  }))
}

const kinds: Record<Node['kind'], [type: string, style: string]> = {
  string: ['String', 'v-S'], number: ['Number', 'v-N'], boolean: ['Boolean', 'v-BOOL'], null: ['Null', 'v-NULL'],
  array: ['Array', 'v-L'], object: ['Object', 'v-M'],
}

/** rowOfDocument has, besides the item's properties, those inside it that its partition key is made of. */
export function rowOfDocument(document: Node, paths: string[]): Row {
  const shown = own(document)
  const members = shown.kind === 'object' ? shown.members : []
  const inner = paths.filter((p) => p.split('/').length > 2).flatMap((p) => {
    const value = p.split('/').slice(1).reduce<Node | undefined>((node, step) => member(node, step), document)
    return value ? [[nameOfPath(p), cellOfNode(value)] as const] : []
  })
  return record([...members.map((m) => [m.name, cellOfNode(m.value)] as const), ...inner])
}

/** nameOfPath is the attribute of a row for a path of a partition key: /customer is customer, /address/city is address/city. */
export function nameOfPath(path: string): string {
  return path.slice(1)
}

function cellOfNode(value: Node): Cell {
  const [type, style] = kinds[value.kind]
  return { type, style, text: cut(plain(value), longest) }
}
