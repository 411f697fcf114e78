/** The metrics of DynamoDB's tables in the past, from CloudWatch. */
import { listMetrics, maxQueries, metricData, type Metric, type Points, type Query, type Range } from '../../api/cloudwatch'
import { clock } from '../../api/console'
import { gridOf, heldSum, perSecond, sumOf, valuesOf } from '../../values/metrics'
import type { Series } from '../../widgets/Plot'
import { lengths, type Window } from './windows'

export interface Past {
  times: number[]
  requests: Series[]; reads: Series[]; writes: Series[]; throttles: Series[]; errors: Series[]; latency: Series[]
  /** The operations whose latency is known, those with the most requests first. */
  operations: string[]
  /** The operation of latency. */
  operation: string
  /** How many metrics there are beyond those that one request can read. */
  omitted: number
}

/** The metrics that are read, each with its statistic. */
const statistics: Record<string, string> = {
  SuccessfulRequestLatency: 'SampleCount', ConsumedReadCapacityUnits: 'Sum', ConsumedWriteCapacityUnits: 'Sum',
  ProvisionedReadCapacityUnits: 'Average', ProvisionedWriteCapacityUnits: 'Average', ReadThrottleEvents: 'Sum',
  WriteThrottleEvents: 'Sum', ThrottledRequests: 'Sum', UserErrors: 'Sum', SystemErrors: 'Sum',
  ConditionalCheckFailedRequests: 'Sum', TransactionConflict: 'Sum',
}

/** loadPast reads the metrics of a table with its indexes, or of all. Latency is that of the chosen operation, if it has any. */
export async function loadPast(table: string | undefined, window: Exclude<Window, 'live'>, chosen: string): Promise<Past> {
  const to = Date.parse((await clock()).now) / 1000
  const { seconds, period } = lengths[window]
  const range: Range = { from: to - seconds, to, period }
  const queries = (await listMetrics(table)).flatMap((metric) => {
    const stat = statistics[metric.MetricName]
    return stat ? [{ metric, stat }] : []
  })
  const asked = queries.slice(0, maxQueries)
  const points = await metricData(asked, range)
  const operations = operationsOf(asked, points, range, table)
  const operation = operations.has(chosen) ? chosen : operations.keys().next().value ?? ''
  const latency = await latencyOf(operations.get(operation), range)
  return { times: gridOf(range), ...seriesOf(asked, points, range), latency, operations: [...operations.keys()], operation, omitted: queries.length - asked.length }
}

function seriesOf(queries: Query[], points: Points[], range: Range) {
  const of = (name: string) => points.filter((_, i) => queries[i]!.metric.MetricName === name)
  const rate = (name: string) => perSecond(sumOf(of(name), range), range)
  const count = (name: string, label: string): Series[] => (of(name).length ? [{ name: label, values: sumOf(of(name), range) }] : [])
  const capacity = (kind: 'Read' | 'Write'): Series[] => {
    const provisioned = heldSum(of(`Provisioned${kind}CapacityUnits`), range)
    return [{ name: 'Consumed', values: rate(`Consumed${kind}CapacityUnits`) },
      ...(provisioned.some((v) => v) ? [{ name: 'Provisioned', values: provisioned, limit: true }] : [])]
  }
  return {
    requests: [{ name: 'Successful', values: rate('SuccessfulRequestLatency') }],
    reads: capacity('Read'), writes: capacity('Write'),
    throttles: [...count('ReadThrottleEvents', 'Reads'), ...count('WriteThrottleEvents', 'Writes'), ...count('ThrottledRequests', 'Requests refused')],
    errors: [...count('UserErrors', 'User errors'), ...count('SystemErrors', 'System errors'),
      ...count('ConditionalCheckFailedRequests', 'Failed conditions'), ...count('TransactionConflict', 'Transaction conflicts')],
  }
}

/** operationsOf returns the latency metrics by their names for people, those with the most requests first. */
function operationsOf(queries: Query[], points: Points[], range: Range, table: string | undefined): Map<string, Metric> {
  const found = queries.flatMap(({ metric }, i) => {
    if (metric.MetricName !== 'SuccessfulRequestLatency') return []
    const value = (name: string) => metric.Dimensions?.find((d) => d.Name === name)?.Value ?? ''
    const name = [value('Operation'), ...(table ? [] : [value('TableName')])].join(' ')
    return [{ name, metric, requests: sumOf([points[i]!], range).reduce((a, b) => a + b, 0) }]
  })
  return new Map(found.filter((f) => f.requests > 0).sort((a, b) => b.requests - a.requests).map((f) => [f.name, f.metric]))
}

async function latencyOf(metric: Metric | undefined, range: Range): Promise<Series[]> {
  const stats = ['p50', 'p90', 'p99']
  const points = metric ? await metricData(stats.map((stat) => ({ metric, stat })), range) : []
  return stats.map((name, i) => ({ name, values: valuesOf(points[i], range) }))
}
