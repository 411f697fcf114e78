/** Series of metrics on one grid of times, so that they can be added and drawn together. */
import type { Points, Range } from '../api/cloudwatch'

/** gridOf returns the times of the periods of a range, in seconds. A period begins at a multiple of its length. */
export function gridOf({ from, to, period }: Range): number[] {
  const first = Math.floor(from / period) * period
  const times: number[] = []
  for (let t = first; t < to; t += period) times.push(t)
  return times
}

/** sumOf adds points; a period without a data point had no traffic, and is zero. */
export function sumOf(all: Points[], range: Range): number[] {
  const times = gridOf(range)
  const sums = times.map(() => 0)
  for (const { times: at, values } of all) {
    at.forEach((t, i) => {
      const n = Math.round((t - times[0]!) / range.period)
      if (n >= 0 && n < sums.length) sums[n]! += values[i]!
    })
  }
  return sums
}

/** perSecond divides the sum of each period by its length, as far as the current one has passed. */
export function perSecond(sums: number[], range: Range): number[] {
  const times = gridOf(range)
  return sums.map((sum, i) => sum / Math.max(1, Math.min(range.period, range.to - times[i]!)))
}

/** valuesOf puts points on the grid; a period without a data point has no value. */
export function valuesOf(points: Points | undefined, range: Range): (number | undefined)[] {
  const byTime = new Map(points?.times.map((t, i) => [Math.floor(t / range.period), points.values[i]]))
  return gridOf(range).map((t) => byTime.get(Math.round(t / range.period)))
}

/** heldSum adds settings that are published now and then: each holds its last value until the next. */
export function heldSum(all: Points[], range: Range): (number | undefined)[] {
  const held = all.map((points) => {
    let last: number | undefined
    return valuesOf(points, range).map((v) => (last = v ?? last))
  })
  return gridOf(range).map((_, i) => held.reduce<number | undefined>((sum, one) => (one[i] === undefined ? sum : (sum ?? 0) + one[i]), undefined))
}
