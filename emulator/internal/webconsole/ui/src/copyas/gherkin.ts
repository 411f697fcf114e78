import { payload, typeOf, type AttributeValue, type Item } from '../values/attribute'
import type { Request } from '../values/filter'
import { printNativeValue } from '../values/nativeJson'
import { elements, members } from './nested'

interface Input {
  TableName?: string; IndexName?: string; Key?: Item; Item?: Item; Limit?: number
  KeyConditionExpression?: string; FilterExpression?: string; ConditionExpression?: string; UpdateExpression?: string
  ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Item
  ScanIndexForward?: boolean; ConsistentRead?: boolean
}

const impossible = '# This request has values that a step cannot contain: quotes, binary or sets'

/** asGherkin is the step of Tabletop's library that sends the request, or a comment that says why there is none. */
export function asGherkin(request: Request): string {
  const input = request.input as Input
  if (request.operation === 'TransactWriteItems') return transaction(request.input)
  if (!input.TableName) return `# No step sends ${request.operation}; see docs/steps.md`
  const text = target(input)
  return text === undefined ? impossible
    : `When a client sends ${/^[AEIOU]/.test(request.operation) ? 'an' : 'a'} ${request.operation}${text}`
}

/** transaction is a step with a row for each item. */
function transaction(input: Record<string, unknown>): string {
  const rows = elements(input.TransactItems).flatMap(members).map(([kind, item]) => {
    const text = target(item as Input)
    return text === undefined ? undefined : `  | ${(kind === 'ConditionCheck' ? 'Check' : kind) + text.replace(/[\\|]/g, '\\$&')} |`
  })
  const token = input.ClientRequestToken === undefined ? '' : ` ${JSON.stringify(input.ClientRequestToken)}`
  return rows.includes(undefined) || token.includes('\\') ? impossible : [`When a client sends a transaction${token} of:`, ...rows].join('\n')
}

/** target is the rest of a step from the table on, or undefined if it has values that a step cannot contain. */
function target(input: Input): string | undefined {
  const clauses = [
    input.IndexName && ` of index "${input.IndexName}"`, ` of "${input.TableName}"`, input.Item && withItem(input.Item),
    where(input), clause('only if', input.ConditionExpression, input), clause('setting', input.UpdateExpression, input),
    clause('filtered by', input.FilterExpression, input), input.ScanIndexForward === false && ', descending',
    input.ConsistentRead && ', consistent', input.Limit && `, limit ${input.Limit}`,
  ]
  return clauses.some((c) => c && c.startsWith('\0')) ? undefined : clauses.filter(Boolean).join('')
}

/** withItem is an item as a step has it, with the clause before it, or \0 if it has sets or binary, which steps do not. */
function withItem(item: Item): string {
  const text = printNativeValue({ M: item }).replace(/\n\s*/g, ' ')
  return /"\$(stringSet|numberSet|binary|binarySet|map)":/.test(text) ? '\0' : ` with ${text}`
}

function where(input: Input): string | undefined {
  if (input.KeyConditionExpression) return clause(' where', input.KeyConditionExpression, input)?.replace(/^, /, '')
  if (!input.Key) return undefined
  const parts = Object.entries(input.Key).map(([name, value]) => `${name} = ${literal(value)}`).join(' AND ')
  return guarded(' where', parts)?.replace(/^, /, '')
}

function clause(word: string, expression: string | undefined, input: Input): string | undefined {
  if (!expression) return undefined
  const filled = expression.replace(/[#:][A-Za-z0-9_]+/g, (p) => {
    const name = input.ExpressionAttributeNames?.[p]
    const value = input.ExpressionAttributeValues?.[p]
    return name ?? (value ? literal(value) : p)
  })
  return guarded(word, filled)
}

/** guarded is a clause, or \0 if its text cannot stand in double quotes. */
function guarded(word: string, text: string): string {
  return /["\0\n]/.test(text) ? '\0' : `, ${word} "${text}"`
}

function literal(value: AttributeValue): string {
  switch (typeOf(value)) {
    case 'S': return (payload(value) as string).includes("'") ? '\0' : `'${payload(value)}'`
    case 'N': case 'BOOL': return String(payload(value))
    case 'NULL': return 'null'
    default: return '\0'
  }
}
