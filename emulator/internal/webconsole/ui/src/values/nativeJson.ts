/**
 * Native JSON: an item as a program has it, {"id": "7", "price": 12.50}. JSON has no sets and no binary, so these are
 * objects with one name: {"$stringSet": ["a"]}, {"$numberSet": [1, 2]}, {"$binary": "AAE="}, {"$binarySet": ["AAE="]}. A map
 * that happens to have only such a name is written as {"$map": {…}}. Every item survives the way there and back.
 */
import { payload, record, typeOf, type AttributeValue, type Item } from './attribute'
import { isBase64 } from './base64'
import { JSONError, parse, type Node } from './losslessJson'
import { numberError } from './number'

const markers = ['$stringSet', '$numberSet', '$binary', '$binarySet', '$map']

export function printNativeJson(item: Item): string {
  return printMap(item, '')
}

/** printNativeValue writes one value, as printNativeJson does. */
export function printNativeValue(value: AttributeValue, indent = ''): string {
  const content = payload(value)
  switch (typeOf(value)) {
    case 'S': return JSON.stringify(content)
    case 'N': return asJSONNumber(content as string)
    case 'BOOL': return String(content)
    case 'NULL': return 'null'
    case 'B': return `{"$binary": ${JSON.stringify(content)}}`
    case 'SS': return `{"$stringSet": ${JSON.stringify(content)}}`
    case 'NS': return `{"$numberSet": [${(content as string[]).map(asJSONNumber).join(', ')}]}`
    case 'BS': return `{"$binarySet": ${JSON.stringify(content)}}`
    case 'L': return printList(content as AttributeValue[], indent)
    case 'M': {
      const map = content as Item
      const names = Object.keys(map)
      const ambiguous = names.length === 1 && markers.includes(names[0]!)
      return ambiguous ? `{"$map": ${printMap(map, indent)}}` : printMap(map, indent)
    }
  }
}

/** asJSONNumber is the number itself: DynamoDB writes some, such as .5 or +1, in ways that JSON does not have. */
function asJSONNumber(text: string): string {
  return text.trim().replace(/^\+/, '').replace(/^(-?)\./, '$10.').replace(/\.(?=$|[eE])/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
}

function printMap(map: Item, indent: string): string {
  const names = Object.keys(map)
  if (names.length === 0) return '{}'
  const inner = indent + '  '
  const lines = names.map((name) => `${inner}${JSON.stringify(name)}: ${printNativeValue(map[name]!, inner)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function printList(values: AttributeValue[], indent: string): string {
  const flat = `[${values.map((v) => printNativeValue(v, indent)).join(', ')}]`
  if (flat.length <= 80 && !flat.includes('\n')) return flat
  const inner = indent + '  '
  return `[\n${values.map((v) => inner + printNativeValue(v, inner)).join(',\n')}\n${indent}]`
}

/** parseNativeJson reads an item. Errors: JSONError. */
export function parseNativeJson(text: string): Item {
  const node = parse(text)
  if (node.kind !== 'object') throw new JSONError('An item is an object: {"name": "text"}', node.from, node.to)
  return readMap(node)
}

function readMap(node: Extract<Node, { kind: 'object' }>): Item {
  return record(node.members.map((m) => [m.name, readNative(m.value)] as const))
}

/** readNative is the attribute value that a JSON value stands for. */
export function readNative(node: Node): AttributeValue {
  switch (node.kind) {
    case 'string': return { S: node.text }
    case 'number': return { N: numberOf(node) }
    case 'boolean': return { BOOL: node.value }
    case 'null': return { NULL: true }
    case 'array': return { L: node.items.map(readNative) }
    case 'object': return readObject(node)
  }
}

function readObject(node: Extract<Node, { kind: 'object' }>): AttributeValue {
  const only = node.members.length === 1 ? node.members[0]! : undefined
  switch (only?.name) {
    case '$binary': return { B: binaryOf(only.value) }
    case '$stringSet': return { SS: setOf(only.value, stringOf) }
    case '$numberSet': return { NS: setOf(only.value, numberOf) }
    case '$binarySet': return { BS: setOf(only.value, binaryOf) }
    case '$map':
      if (only.value.kind !== 'object') throw new JSONError('$map is an object', only.value.from, only.value.to)
      return { M: readMap(only.value) }
  }
  return { M: readMap(node) }
}

function numberOf(node: Node): string {
  if (node.kind !== 'number') throw new JSONError('Expected a number', node.from, node.to)
  const error = numberError(node.text)
  if (error) throw new JSONError(error, node.from, node.to)
  return node.text
}

function stringOf(node: Node): string {
  if (node.kind !== 'string') throw new JSONError('Expected a string', node.from, node.to)
  return node.text
}

function binaryOf(node: Node): string {
  const text = stringOf(node)
  if (!isBase64(text)) throw new JSONError('Binary is written in base64', node.from, node.to)
  return text
}

function setOf(node: Node, read: (n: Node) => string): string[] {
  if (node.kind !== 'array' || node.items.length === 0) {
    throw new JSONError('A set is an array with at least one member', node.from, node.to)
  }
  const texts = node.items.map(read)
  texts.forEach((text, i) => {
    const at = node.items[i]!
    if (texts.indexOf(text) !== i) throw new JSONError('This member is there twice', at.from, at.to)
  })
  return texts
}
