import type { Request } from '../values/filter'
import type { Endpoint } from './copyas'
import { isItemField } from './fields'

/** asJavaScript is a module for the AWS SDK for JavaScript v3 in Node. */
export function asJavaScript(request: Request, at: Endpoint): string {
  const command = `${request.operation}Command`
  const fields = Object.entries(request.input).map(([name, value]) => `  ${name}: ${literal(value, '  ', isItemField(name))},`)
  return [
    `import { DynamoDBClient, ${command} } from "@aws-sdk/client-dynamodb";`, '',
    'const client = new DynamoDBClient({', `  endpoint: ${JSON.stringify(at.endpoint)},`,
    `  region: ${JSON.stringify(at.region)},`,
    `  credentials: { accessKeyId: ${JSON.stringify(at.accessKeyId)}, secretAccessKey: ${JSON.stringify(at.secretAccessKey || '…')} },`,
    '});', `const response = await client.send(new ${command}({`, ...fields, '}));', 'console.log(response);', '',
  ].join('\n')
}

function literal(value: unknown, indent: string, isItem: boolean): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + '  '
  if (Array.isArray(value)) return `[${value.map((v) => literal(v, inner, isItem)).join(', ')}]`
  const entries = Object.entries(value).map(([name, v]) => `${property(name)}: ${entry(name, v, inner, isItem, value)}`)
  const flat = `{ ${entries.join(', ')} }`
  return flat.length < 90 && !flat.includes('\n') ? flat : `{\n${inner}${entries.join(`,\n${inner}`)},\n${indent}}`
}

function entry(name: string, value: unknown, indent: string, isItem: boolean, holder: object): string {
  const alone = isItem && Object.keys(holder).length === 1
  if (alone && name === 'B' && typeof value === 'string') return bytes(value)
  if (alone && name === 'BS' && Array.isArray(value)) return `[${value.map((v) => bytes(String(v))).join(', ')}]`
  return literal(value, indent, isItem)
}

function bytes(base64: string): string {
  return `Buffer.from(${JSON.stringify(base64)}, "base64")`
}

/** property quotes the names that are not identifiers; __proto__ is computed, because its literal sets the prototype. */
function property(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
