/** Values of sample items as the text of a cell. */
import { payload, typeOf, type AttributeType, type AttributeValue } from '../values/attribute'
import { parseDynamoJson } from '../values/dynamoJson'

const isText = (type: AttributeType) => type === 'S' || type === 'N' || type === 'B'

/** cellText is a string, a number or binary as it is, and anything else as its JSON in DynamoDB JSON. */
export function cellText(value: AttributeValue): string {
  return isText(typeOf(value)) ? String(payload(value)) : JSON.stringify(payload(value))
}

/** cellValue reads the text of a cell as a value of a type. Errors: Error with the reason. */
export function cellValue(type: AttributeType, text: string): AttributeValue {
  return parseDynamoJson(`{"v":{"${type}":${isText(type) ? JSON.stringify(text) : text}}}`)['v']!
}
