/** What differs between two states of an item, attribute by attribute, for items of either service. */
import { display, payload, record, typeNames, typeOf, type AttributeValue, type Item } from './attribute'
import { compact, plain, type Node } from './losslessJson'
import { quoteName } from './path'

/** Value is a value with the text that tells it from others, and what is inside it if that is compared too. */
export interface Value {
  type: string
  /** The class that colours its type. */
  style: string
  text: string
  /** The same for values that are equal, and only for those. */
  exact: string
  members?: Record<string, Value>
}

/** The most characters of a value that are shown. */
const longest = 1000

export function valueOfItem(item: Item): Value {
  return valueOfAttribute({ M: item })
}

export function valueOfAttribute(value: AttributeValue): Value {
  const type = typeOf(value)
  const content = payload(value)
  const members = type === 'M' ? record(Object.entries(content as Item).map(([n, v]) => [n, valueOfAttribute(v)] as const))
    : type === 'L' ? elements((content as AttributeValue[]).map(valueOfAttribute)) : undefined
  const exact = members ? exactOf(members) : JSON.stringify(Array.isArray(content) ? [...(content as string[])].sort() : content)
  return { type: typeNames[type], style: `v-${type}`, text: display(value, longest), exact: type + exact, ...(members && { members }) }
}

const kinds: Record<Node['kind'], [type: string, style: string]> = {
  string: ['String', 'v-S'], number: ['Number', 'v-N'], boolean: ['Boolean', 'v-BOOL'], null: ['Null', 'v-NULL'],
  array: ['Array', 'v-L'], object: ['Object', 'v-M'],
}

export function valueOfNode(node: Node): Value {
  const [type, style] = kinds[node.kind]
  const members = node.kind === 'object' ? record(node.members.map((m) => [m.name, valueOfNode(m.value)] as const))
    : node.kind === 'array' ? elements(node.items.map(valueOfNode)) : undefined
  const exact = type + (members ? exactOf(members) : compact(node))
  return { type, style, text: plain(node).slice(0, longest), exact, ...(members && { members }) }
}

function elements(values: Value[]): Record<string, Value> {
  return record(values.map((v, i) => [`[${i}]`, v] as const))
}

function exactOf(members: Record<string, Value>): string {
  return JSON.stringify(Object.keys(members).sort().map((name) => [name, members[name]!.exact]))
}

/** Difference is an attribute, or what is at a path inside it, that was added, removed or changed. */
export interface Difference { path: string; before?: Value; after?: Value }

export type DifferenceKind = 'added' | 'removed' | 'changed'

export function kindOf({ before, after }: { before?: unknown; after?: unknown }): DifferenceKind {
  return !before ? 'added' : !after ? 'removed' : 'changed'
}

/** differences compares two states of an item, of which one may be absent. Maps and lists are compared inside. */
export function differences(before: Value | undefined, after: Value | undefined): Difference[] {
  return compareMembers('', before?.members ?? {}, after?.members ?? {})
}

function compareMembers(path: string, before: Record<string, Value>, after: Record<string, Value>): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => compare(join(path, name), own(before, name), own(after, name)))
}

function compare(path: string, before: Value | undefined, after: Value | undefined): Difference[] {
  if (before && after && before.exact === after.exact) return []
  if (before?.members && after?.members && before.type === after.type) return compareMembers(path, before.members, after.members)
  return [{ path, ...(before && { before }), ...(after && { after }) }]
}

function own(members: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function join(path: string, name: string): string {
  if (/^\[\d+\]$/.test(name)) return path + name
  return path === '' ? quoteName(name) : `${path}.${quoteName(name)}`
}
