import type { Request } from '../values/filter'
import type { Endpoint } from './copyas'

/** asCLI is a command of the AWS CLI for a POSIX shell. */
export function asCLI(request: Request, at: Endpoint): string {
  const credentials = `AWS_ACCESS_KEY_ID=${shell(at.accessKeyId)} AWS_SECRET_ACCESS_KEY=${shell(at.secretAccessKey || '…')}`
  const options = Object.entries(request.input).map(([name, value]) => option(name, value))
  return [`${credentials} aws dynamodb ${kebab(request.operation)}`, `--endpoint-url ${shell(at.endpoint)}`,
    `--region ${shell(at.region)}`, ...options].join(' \\\n  ')
}

function option(name: string, value: unknown): string {
  if (typeof value === 'boolean') return `--${value ? '' : 'no-'}${kebab(name)}`
  return `--${kebab(name)} ${shell(typeof value === 'object' ? JSON.stringify(value) : String(value))}`
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()
}

/** shell quotes a word so that a POSIX shell takes it as it is. */
export function shell(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
