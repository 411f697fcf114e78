import { payload, typeOf, type AttributeType, type AttributeValue, type Item } from './attribute'
import { isBase64 } from './base64'
import { numberError } from './number'

/** invalidIn is the first reason why a value is not one that the service takes, or ''. */
export function invalidIn(item: Item): string {
  for (const [name, value] of Object.entries(item)) {
    const reason = valueError(value)
    if (reason) return `${name}: ${reason}`
  }
  return ''
}

/** valueError is the reason why the service does not take a value, or ''. */
export function valueError(value: AttributeValue): string {
  const content = payload(value)
  switch (typeOf(value)) {
    case 'N': return numberError(content as string)
    case 'B': return isBase64(content as string) ? '' : 'Binary is written in base64'
    case 'SS': case 'NS': case 'BS': return setError(typeOf(value), content as string[])
    case 'L': return (content as AttributeValue[]).map(valueError).find(Boolean) ?? ''
    case 'M': return invalidIn(content as Item)
    default: return ''
  }
}

function setError(type: AttributeType, members: string[]): string {
  if (members.length === 0) return 'A set has at least one member'
  if (new Set(members).size < members.length) return 'A set has each member once'
  const check = type === 'NS' ? numberError : type === 'BS' ? (t: string) => (isBase64(t) ? '' : 'Binary is written in base64') : () => ''
  return members.map(check).find(Boolean) ?? ''
}
