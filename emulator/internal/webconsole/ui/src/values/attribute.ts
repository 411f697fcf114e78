/** DynamoDB's attribute values as the service sends them in JSON: numbers are text, so no digit is lost. */

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item }

export type Item = Record<string, AttributeValue>

export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M'

/** The name of each type in the developer guide. */
export const typeNames: Record<AttributeType, string> = {
  S: 'String', N: 'Number', B: 'Binary', BOOL: 'Boolean', NULL: 'Null',
  SS: 'String set', NS: 'Number set', BS: 'Binary set', L: 'List', M: 'Map',
}

export const attributeTypes = Object.keys(typeNames) as AttributeType[]

/** record makes an object without prototype, so that an attribute may have any name, such as __proto__. */
export function record<V>(entries: Iterable<readonly [string, V]> = []): Record<string, V> {
  const result = Object.create(null) as Record<string, V>
  for (const [name, value] of entries) result[name] = value
  return result
}

export function typeOf(value: AttributeValue): AttributeType {
  return Object.keys(value)[0] as AttributeType
}

/** payload is what stands under the type. */
export function payload(value: AttributeValue): unknown {
  return Object.values(value)[0]
}

/** attribute is a value of an item, or undefined; it finds no inherited names. */
export function attribute(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined
}

/** keyOf picks the attributes of a key from an item. */
export function keyOf(item: Item, names: string[]): Item {
  return record(names.flatMap((name) => {
    const value = attribute(item, name)
    return value ? [[name, value] as const] : []
  }))
}

/** sameValue compares exactly as sent; sets ignore the order of their members. */
export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  if (type === 'M') return sameItem(payload(a) as Item, payload(b) as Item)
  if (type === 'L') {
    const [x, y] = [payload(a) as AttributeValue[], payload(b) as AttributeValue[]]
    return x.length === y.length && x.every((v, i) => sameValue(v, y[i]!))
  }
  if (Array.isArray(payload(a))) {
    return JSON.stringify([...(payload(a) as string[])].sort()) === JSON.stringify([...(payload(b) as string[])].sort())
  }
  return payload(a) === payload(b)
}

export function sameItem(a: Item, b: Item): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name]!, b[name]!))
}

/** display is one line of text for a value, cut to a length in characters. */
export function display(value: AttributeValue, limit = 200): string {
  const type = typeOf(value)
  const content = payload(value)
  if (type === 'NULL') return 'null'
  if (type === 'B') return cut(String(content), limit)
  if (type === 'L') return cut(list(content as AttributeValue[], limit), limit)
  if (type === 'M') return cut(map(content as Item, limit), limit)
  if (Array.isArray(content)) return cut(`{${content.slice(0, limit).join(', ')}}`, limit)
  return cut(String(content), limit)
}

function list(values: AttributeValue[], limit: number): string {
  return `[${values.slice(0, limit).map((v) => display(v, limit)).join(', ')}]`
}

function map(item: Item, limit: number): string {
  return `{${Object.keys(item).slice(0, limit).map((name) => `${name}: ${display(item[name]!, limit)}`).join(', ')}}`
}

/** cut shortens a text, and does not split a character of two code units. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit
  return text.slice(0, end) + '…'
}
