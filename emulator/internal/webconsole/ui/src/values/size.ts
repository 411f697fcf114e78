/** The size of an item in bytes as DynamoDB counts it (developer guide, "DynamoDB item sizes and formats"). */
import { payload, typeOf, type AttributeValue, type Item } from './attribute'
import { byteLength } from './base64'

const encoder = new TextEncoder()

export function itemSize(item: Item): number {
  return Object.keys(item).reduce((sum, name) => sum + utf8(name) + valueSize(item[name]!), 0)
}

function utf8(text: string): number {
  return encoder.encode(text).length
}

function valueSize(value: AttributeValue): number {
  const content = payload(value)
  switch (typeOf(value)) {
    case 'S': return utf8(content as string)
    case 'N': return numberSize(content as string)
    case 'B': return byteLength(content as string)
    case 'BOOL': case 'NULL': return 1
    case 'SS': return (content as string[]).reduce((sum, s) => sum + utf8(s), 0)
    case 'NS': return (content as string[]).reduce((sum, s) => sum + numberSize(s), 0)
    case 'BS': return (content as string[]).reduce((sum, s) => sum + byteLength(s), 0)
    case 'L': return (content as AttributeValue[]).reduce((sum, v) => sum + 1 + valueSize(v), 3)
    case 'M': return Object.values(content as Item).reduce((sum, v) => sum + 1 + valueSize(v), 3 +
      Object.keys(content as Item).reduce((sum, name) => sum + utf8(name), 0))
  }
}

/** numberSize is about one byte per two significant digits and one more, and one for a minus. */
function numberSize(text: string): number {
  const digits = text.replace(/[eE].*$/, '').replace(/[^0-9]/g, '').replace(/^0+|0+$/g, '').length
  return Math.ceil(digits / 2) + 1 + (text.trim().startsWith('-') ? 1 : 0)
}

/** bytes writes a number of bytes for people: 1,234 B, 12.3 KB. */
export function bytes(n: number): string {
  if (n < 1024) return `${n.toLocaleString('en-US')} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = n / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++ }
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[unit]}`
}
