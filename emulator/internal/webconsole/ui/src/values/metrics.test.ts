import { expect, test } from 'vitest'
import type { Seen } from '../api/requests'
import { gridOf, heldSum, perSecond, sumOf, valuesOf } from './metrics'
import { buckets, bucketSeconds, percentile, Recent } from './recent'

const range = { from: 130, to: 310, period: 60 }

test('the grid begins with the period of the start', () => {
  expect(gridOf(range)).toEqual([120, 180, 240, 300])
})

test('sums count periods without data as zero, gauges as unknown or held', () => {
  const a = { times: [120, 240], values: [6, 12] }
  const b = { times: [240, 600], values: [3, 9] }
  expect(sumOf([a, b], range)).toEqual([6, 0, 15, 0])
  expect(perSecond([60, 0, 120, 5], range)).toEqual([1, 0, 2, 0.5])
  expect(valuesOf(a, range)).toEqual([6, undefined, 12, undefined])
  expect(heldSum([a, b], range)).toEqual([6, 6, 15, 15])
})

const seen = (more: Partial<Seen>): Seen => ({
  id: 1, cloud: 'dynamodb', time: '', durationMs: 1, operation: 'GetItem', target: [], status: 200, client: '', ...more,
})

test('recent requests are counted in the bucket of their time', () => {
  const recent = new Recent()
  recent.add(seen({ capacity: { reads: 1.5, writes: 2 } }), 1000)
  recent.add(seen({ status: 400, error: 'ThrottlingException' }), 1004)
  recent.add(seen({ status: 400, error: 'ValidationException' }), 1005)
  recent.add(seen({ cloud: 'cosmos', status: 429, requestCharge: 2.5 }), 1005)
  const { times, buckets: all } = recent.all(1010)
  expect(times.slice(-2)).toEqual([1000, 1005])
  expect(all.at(-2)).toMatchObject({ requests: 2, errors: 0, throttled: 1, reads: 1.5, writes: 2 })
  expect(all.at(-1)).toMatchObject({ requests: 2, errors: 1, throttled: 1, units: 2.5 })
})

test('percentiles are within 2%, and old buckets are forgotten', () => {
  const recent = new Recent()
  for (let i = 1; i <= 1000; i++) recent.add(seen({ durationMs: i / 10 }), 1000)
  const bucket = recent.all(1005).buckets.at(-1)!
  for (const [p, want] of [[0.5, 50], [0.9, 90], [0.99, 99]] as const) {
    expect(Math.abs(percentile(bucket, p)! / want - 1)).toBeLessThan(0.02)
  }
  recent.add(seen({}), 1000 + buckets * bucketSeconds)
  expect(recent.all(1005).buckets.at(-1)!.requests).toBe(0)
  expect(percentile(recent.all(5000).buckets[0]!, 0.5)).toBeUndefined()
})
