import type { Request } from '../values/filter'
import type { Endpoint } from './copyas'
import { isItemField } from './fields'
import { quote } from './quote'

/** asPython is a program for boto3. */
export function asPython(request: Request, at: Endpoint): string {
  const args = Object.entries(request.input)
    .map(([name, value]) => `    ${name}=${literal(value, '    ', isItemField(name))},`)
  const body = [
    'dynamodb = boto3.client(', `    "dynamodb", endpoint_url=${quote(at.endpoint)}, region_name=${quote(at.region)},`,
    `    aws_access_key_id=${quote(at.accessKeyId)}, aws_secret_access_key=${quote(at.secretAccessKey || '…')})`,
    `response = dynamodb.${snake(request.operation)}(`, ...args, ')', 'print(response)',
  ].join('\n')
  return `${body.includes('b64decode(') ? 'from base64 import b64decode\n' : ''}import boto3\n\n${body}\n`
}

function literal(value: unknown, indent: string, isItem: boolean): string {
  const inner = indent + '    '
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map((v) => literal(v, inner, isItem)).join(', ')}]`
  const entries = Object.entries(value).map(([name, v]) => `${quote(name)}: ${entry(name, v, inner, isItem, value)}`)
  const flat = `{${entries.join(', ')}}`
  return flat.length < 90 && !flat.includes('\n') ? flat : `{\n${inner}${entries.join(`,\n${inner}`)},\n${indent}}`
}

function entry(name: string, value: unknown, indent: string, isItem: boolean, holder: object): string {
  const alone = isItem && Object.keys(holder).length === 1
  if (alone && name === 'B' && typeof value === 'string') return `b64decode(${quote(value)})`
  if (alone && name === 'BS' && Array.isArray(value)) return `[${value.map((v) => `b64decode(${quote(String(v))})`).join(', ')}]`
  return literal(value, indent, isItem)
}

function snake(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}
