/** CloudWatch, on DynamoDB's port: metrics of the namespace AWS/DynamoDB, and alarms. Times are seconds of the emulator's clock. */
import { sendAWS } from './dynamodb'

export interface Metric { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: string }[] }

async function call<T>(operation: string, input: unknown): Promise<T> {
  return JSON.parse((await sendAWS('cloudwatch', operation, input)).text || '{}') as T
}

/** The most pages of a list that are read: a page has 500 metrics or 100 alarms. */
const maxPages = 20

/** listMetrics returns DynamoDB's metrics, or those of one table. */
export async function listMetrics(table: string | undefined): Promise<Metric[]> {
  const found: Metric[] = []
  let token: string | undefined
  for (let page = 0; page === 0 || (token && page < maxPages); page++) {
    const output = await call<{ Metrics?: Metric[]; NextToken?: string }>('ListMetrics', {
      Namespace: 'AWS/DynamoDB', ...(table && { Dimensions: [{ Name: 'TableName', Value: table }] }), ...(token && { NextToken: token }),
    })
    found.push(...(output.Metrics ?? []))
    token = output.NextToken
  }
  return found
}

export interface Query { metric: Metric; stat: string }

/** Range is a time range in seconds, with the length of a data point's period. */
export interface Range { from: number; to: number; period: number }

export interface Points { times: number[]; values: number[] }

/** The most queries of one request. */
export const maxQueries = 500

/** metricData returns the data points of each query, of which there may be maxQueries. */
export async function metricData(queries: Query[], { from, to, period }: Range): Promise<Points[]> {
  if (queries.length === 0) return []
  const output = await call<{ MetricDataResults?: { Id: string; Timestamps?: number[]; Values?: number[] }[] }>('GetMetricData', {
    StartTime: from, EndTime: to, ScanBy: 'TimestampAscending',
    MetricDataQueries: queries.map(({ metric, stat }, i) => ({ Id: `q${i}`, MetricStat: { Metric: metric, Period: period, Stat: stat } })),
  })
  const byId = new Map(output.MetricDataResults?.map((r) => [r.Id, r]))
  return queries.map((_, i) => ({ times: byId.get(`q${i}`)?.Timestamps ?? [], values: byId.get(`q${i}`)?.Values ?? [] }))
}

export interface Alarm {
  AlarmName: string
  StateValue: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'
  StateReason?: string
  StateUpdatedTimestamp?: number
  MetricName?: string
  Dimensions?: { Name: string; Value: string }[]
  Statistic?: string
  ExtendedStatistic?: string
  ComparisonOperator?: string
  Threshold?: number
  Period?: number
  Metrics?: { MetricStat?: { Metric?: Metric } }[]
}

/** alarms returns all alarms on metrics, in the order of their names. */
export async function alarms(): Promise<Alarm[]> {
  const found: Alarm[] = []
  let token: string | undefined
  for (let page = 0; page === 0 || (token && page < maxPages); page++) {
    const output = await call<{ MetricAlarms?: Alarm[]; NextToken?: string }>('DescribeAlarms', { MaxRecords: 100, ...(token && { NextToken: token }) })
    found.push(...(output.MetricAlarms ?? []))
    token = output.NextToken
  }
  return found
}
