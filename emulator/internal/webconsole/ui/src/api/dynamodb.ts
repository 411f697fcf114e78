import type { Table } from '../values/table'
import type { Scope } from './console'
import { announce } from './events'
import { api, Problem, send, type Answer } from './http'

/** Consumed capacity as the service reports it with ReturnConsumedCapacity. */
export interface Capacity { TableName?: string; CapacityUnits?: number; ReadCapacityUnits?: number; WriteCapacityUnits?: number }

/** Result is an answer of DynamoDB with what it took. */
export interface Result<T> { output: T; milliseconds: number; cost: Cost | undefined; text: string }

/** Cost is what a request would cost on AWS, on demand, in US dollars. */
export interface Cost { usd: string; reads: string; writes: string }

let query = ''

/** setScope chooses the region of later requests, and their access key if each has its own tables. */
export function setScope({ region, accessKeyId }: Scope, isolated: boolean) {
  query = `?${new URLSearchParams({ region, ...(isolated && { accessKey: accessKeyId }) }).toString()}`
}

/** scopeQuery is the query of a request for the tables of the scope that setScope chose. */
export const scopeQuery = () => query

/** sendAWS makes a request to a service on DynamoDB's port. Errors: Problem with the service's error. */
export async function sendAWS(service: 'dynamodb' | 'cloudwatch' | 'kms', operation: string, input: unknown, signal?: AbortSignal): Promise<Answer> {
  const answer = await send(`${api}/${service}/${operation}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  })
  if (answer.status !== 200) throw errorOf(answer.status, answer.text)
  return answer
}

/** call makes a request to DynamoDB or DynamoDB Streams. TagResource has no output. Errors: Problem with the service's error. */
export async function call<T>(operation: string, input: unknown, signal?: AbortSignal): Promise<Result<T>> {
  const answer = await sendAWS('dynamodb', operation, input, signal)
  announceWrite(operation, input as { TableName?: string })
  return {
    output: JSON.parse(answer.text || '{}') as T, milliseconds: answer.milliseconds, text: answer.text,
    cost: costOf(answer.headers.get('x-tabletop-cost')),
  }
}

/** announceWrite makes the pages read again what this console changed; a request without a table's name may have changed any. */
function announceWrite(operation: string, { TableName: name = '' }: { TableName?: string }) {
  if (/^(PutItem|DeleteItem|UpdateItem)$/.test(operation)) announce({ cloud: 'dynamodb', kind: 'items', name })
  else if (/^(Create|Delete|Update|Restore|Tag|Untag)/.test(operation)) announce({ cloud: 'dynamodb', kind: 'schema', name })
}

/** errorOf reads the service's error, or problem details of the emulator's. */
function errorOf(status: number, text: string): Problem {
  try {
    const body = JSON.parse(text) as { __type?: string; message?: string; Message?: string; title?: string; detail?: string }
    const code = body.__type?.split('#').pop() ?? body.title ?? ''
    return new Problem(status, code, body.message ?? body.Message ?? body.detail ?? code, text)
  } catch {
    return new Problem(status, '', text || `Status ${status}`, text)
  }
}

/** costOf reads a header such as: usd=0.000000125, reads=0.5, writes=0. */
function costOf(header: string | null): Cost | undefined {
  if (!header) return undefined
  const fields = Object.fromEntries(header.split(',').map((part) => part.trim().split('=') as [string, string]))
  return { usd: fields.usd ?? '0', reads: fields.reads ?? '0', writes: fields.writes ?? '0' }
}

/** listTables returns the names of all tables, in order. */
export async function listTables(): Promise<string[]> {
  const names: string[] = []
  let from: string | undefined
  do {
    const { output } = await call<{ TableNames: string[]; LastEvaluatedTableName?: string }>('ListTables',
      from ? { ExclusiveStartTableName: from } : {})
    names.push(...output.TableNames)
    from = output.LastEvaluatedTableName
  } while (from)
  return names
}

export async function describeTable(name: string): Promise<Table> {
  return (await call<{ Table: Table }>('DescribeTable', { TableName: name })).output.Table
}

/** describeTables describes all tables, eight at a time; one that has gone meanwhile is left out. */
export async function describeTables(): Promise<Table[]> {
  const names = await listTables()
  const tables: (Table | undefined)[] = []
  let next = 0
  const worker = async () => {
    while (next < names.length) {
      const i = next++
      tables[i] = await describeTable(names[i]!).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'ResourceNotFoundException') return undefined
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return tables.filter((t) => t !== undefined)
}

export interface TimeToLive { TimeToLiveStatus: string; AttributeName?: string }

export async function timeToLive(name: string): Promise<TimeToLive> {
  return (await call<{ TimeToLiveDescription: TimeToLive }>('DescribeTimeToLive', { TableName: name })).output.TimeToLiveDescription
}

export interface Recovery { PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED'; RecoveryPeriodInDays?: number }

export async function recovery(name: string): Promise<Recovery> {
  const { output } = await call<{ ContinuousBackupsDescription: { PointInTimeRecoveryDescription: Recovery } }>(
    'DescribeContinuousBackups', { TableName: name })
  return output.ContinuousBackupsDescription.PointInTimeRecoveryDescription
}

export interface Tag { Key: string; Value: string }

/** tagsOf returns the tags of a table, in the order of their keys. */
export async function tagsOf(arn: string): Promise<Tag[]> {
  const tags: Tag[] = []
  let from: string | undefined
  do {
    const { output } = await call<{ Tags: Tag[]; NextToken?: string }>('ListTagsOfResource',
      { ResourceArn: arn, ...(from && { NextToken: from }) })
    tags.push(...output.Tags)
    from = output.NextToken
  } while (from)
  return tags.sort((a, b) => (a.Key < b.Key ? -1 : 1))
}
