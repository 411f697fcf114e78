/** DynamoDB JSON: {"id": {"S": "7"}}, read strictly, with the place of each mistake. */
import { attributeTypes, record, type AttributeType, type AttributeValue, type Item } from './attribute'
import { isBase64 } from './base64'
import { JSONError, parse, type Node } from './losslessJson'
import { numberError } from './number'

/** parseDynamoJson reads an item. Errors: JSONError. */
export function parseDynamoJson(text: string): Item {
  const node = parse(text)
  if (node.kind !== 'object') throw new JSONError('An item is an object: {"name": {"S": "text"}}', node.from, node.to)
  return readItem(node)
}

/** printDynamoJson writes an item with two spaces per level. */
export function printDynamoJson(item: Item): string {
  return JSON.stringify(item, null, 2)
}

function readItem(node: Extract<Node, { kind: 'object' }>): Item {
  return record(node.members.map((m) => [m.name, readValue(m.value)] as const))
}

function readValue(node: Node): AttributeValue {
  if (node.kind !== 'object' || node.members.length !== 1) {
    throw new JSONError('A value is an object with one type, such as {"S": "text"} or {"N": "12"}', node.from, node.to)
  }
  const { name, value, from, to } = node.members[0]!
  if (!attributeTypes.includes(name as AttributeType)) {
    throw new JSONError(`${name} is not a type: use ${attributeTypes.join(', ')}`, from, to)
  }
  return readTyped(name as AttributeType, value)
}

function readTyped(type: AttributeType, node: Node): AttributeValue {
  switch (type) {
    case 'S': return { S: stringOf(node) }
    case 'N': return { N: numberOf(node) }
    case 'B': return { B: binaryOf(node) }
    case 'BOOL': return { BOOL: booleanOf(node) }
    case 'NULL': return nullOf(node)
    case 'SS': return { SS: setOf(node, stringOf) }
    case 'NS': return { NS: setOf(node, numberOf) }
    case 'BS': return { BS: setOf(node, binaryOf) }
    case 'L': return { L: arrayOf(node).map(readValue) }
    case 'M':
      if (node.kind !== 'object') throw new JSONError('M is an object', node.from, node.to)
      return { M: readItem(node) }
  }
}

function stringOf(node: Node): string {
  if (node.kind !== 'string') throw new JSONError('Expected a string', node.from, node.to)
  return node.text
}

function numberOf(node: Node): string {
  if (node.kind !== 'string') throw new JSONError('A number is written in quotes: {"N": "12.5"}', node.from, node.to)
  const error = numberError(node.text)
  if (error) throw new JSONError(error, node.from, node.to)
  return node.text
}

function binaryOf(node: Node): string {
  const text = stringOf(node)
  if (!isBase64(text)) throw new JSONError('Binary is written in base64', node.from, node.to)
  return text
}

function booleanOf(node: Node): boolean {
  if (node.kind !== 'boolean') throw new JSONError('Expected true or false', node.from, node.to)
  return node.value
}

function nullOf(node: Node): AttributeValue {
  if (node.kind !== 'boolean' || !node.value) throw new JSONError('NULL is true', node.from, node.to)
  return { NULL: true }
}

function arrayOf(node: Node): Node[] {
  if (node.kind !== 'array') throw new JSONError('Expected an array', node.from, node.to)
  return node.items
}

function setOf(node: Node, read: (member: Node) => string): string[] {
  const members = arrayOf(node)
  const texts = members.map(read)
  if (texts.length === 0) throw new JSONError('A set has at least one member', node.from, node.to)
  texts.forEach((text, i) => {
    if (texts.indexOf(text) !== i) throw new JSONError('This member is there twice', members[i]!.from, members[i]!.to)
  })
  return texts
}
