/** What requests did in the last minutes, in buckets of a few seconds: it needs the same memory for any number of requests. */
import type { Seen } from '../api/requests'

/** The length of a bucket in seconds, and how many are held: five minutes. */
export const bucketSeconds = 5
export const buckets = 60

export interface Bucket {
  requests: number
  errors: number
  throttled: number
  reads: number
  writes: number
  units: number
  /** How many requests took about step**n ms, by n; see percentile. */
  durations: Map<number, number>
}

/** Neighbours in the histogram of durations are 4% apart, so that a percentile is within 2%. */
const step = 1.04

const empty = (): Bucket => ({ requests: 0, errors: 0, throttled: 0, reads: 0, writes: 0, units: 0, durations: new Map() })

/** Recent collects requests. Its times are seconds of the machine's clock, because the emulator's may be stopped. */
export class Recent {
  private byTime = new Map<number, Bucket>()

  add(seen: Seen, now: number) {
    const at = Math.floor(now / bucketSeconds)
    let bucket = this.byTime.get(at)
    if (!bucket) {
      this.byTime.set(at, (bucket = empty()))
      for (const old of this.byTime.keys()) if (old <= at - buckets) this.byTime.delete(old)
    }
    bucket.requests++
    if (isThrottled(seen)) bucket.throttled++
    else if (seen.status >= 400) bucket.errors++
    bucket.reads += seen.capacity?.reads ?? 0
    bucket.writes += seen.capacity?.writes ?? 0
    bucket.units += seen.requestCharge ?? 0
    const n = Math.round(Math.log(Math.max(seen.durationMs, 0.001)) / Math.log(step))
    bucket.durations.set(n, (bucket.durations.get(n) ?? 0) + 1)
  }

  /** all returns the buckets up to the last whole one, with the times at which they begin, the oldest first. */
  all(now: number): { times: number[]; buckets: Bucket[] } {
    const end = Math.floor(now / bucketSeconds)
    const indexes = Array.from({ length: buckets }, (_, i) => end - buckets + i)
    return { times: indexes.map((i) => i * bucketSeconds), buckets: indexes.map((i) => this.byTime.get(i) ?? empty()) }
  }
}

/** percentile returns a percentile of a bucket's durations in milliseconds, such as 0.99; undefined if there are none. */
export function percentile({ durations }: Bucket, p: number): number | undefined {
  const sorted = [...durations].sort(([a], [b]) => a - b)
  let left = Math.ceil(p * sorted.reduce((sum, [, n]) => sum + n, 0))
  for (const [n, count] of sorted) {
    left -= count
    if (left <= 0) return step ** n
  }
  return undefined
}

/** isThrottled reports whether a request was refused because capacity was used up. */
export function isThrottled({ cloud, status, error = '' }: Seen): boolean {
  if (cloud === 'cosmos') return status === 429
  return ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'].includes(error.split('#').pop()!)
}
