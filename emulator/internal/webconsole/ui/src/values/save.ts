/** The writes of the editor, each with the condition that the item is still as it was read. */
import { attribute, type Item, sameItem } from './attribute'
import type { Request } from './filter'
import { Placeholders } from './placeholders'

/** An expression has at most 300 operators; each attribute needs "=" and AND. Source: the developer guide, "Quotas". */
export const comparableAttributes = 140

/** putIfUnchanged replaces the item that was read. before is undefined for an item that must not exist yet. */
export function putIfUnchanged(table: string, keys: string[], before: Item | undefined, after: Item): Request {
  const p = new Placeholders()
  const condition = before ? unchanged(p, before, after) : `attribute_not_exists(${p.name(keys[0]!)})`
  return write('PutItem', { TableName: table, Item: after, ConditionExpression: condition, ...p.fields() })
}

/** deleteIfUnchanged deletes the item that was read. */
export function deleteIfUnchanged(table: string, keys: string[], before: Item): Request {
  const p = new Placeholders()
  const condition = unchanged(p, before, before)
  return write('DeleteItem', { TableName: table, Key: pick(before, keys), ConditionExpression: condition, ...p.fields() })
}

function write(operation: string, input: Record<string, unknown>): Request {
  return { operation, input: { ...input, ReturnConsumedCapacity: 'TOTAL' } }
}

/** unchanged is true of an item that has each attribute as read and none that the edited item adds. */
function unchanged(p: Placeholders, before: Item, after: Item): string {
  const names = Object.keys(before).slice(0, comparableAttributes)
  const same = names.map((name) => `${p.name(name)} = ${p.value(before[name]!)}`)
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
    .slice(0, comparableAttributes - names.length)
  return [...same, ...added.map((name) => `attribute_not_exists(${p.name(name)})`)].join(' AND ')
}

function pick(item: Item, keys: string[]): Item {
  return Object.fromEntries(keys.map((k) => [k, attribute(item, k)!]))
}

/** isTooWide reports whether a condition cannot compare all attributes, so that the item has to be read again first. */
export function isTooWide(before: Item): boolean {
  return Object.keys(before).length > comparableAttributes
}

/** sameKey reports whether two items have the same key. */
export function sameKey(keys: string[], a: Item, b: Item): boolean {
  return sameItem(pick(a, keys), pick(b, keys))
}
