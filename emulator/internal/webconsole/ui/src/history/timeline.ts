/** The part of the time that a timeline shows, and how far a key moves on it. */
import type { Bucket } from '../api/history'
import { placeOf } from './moment'

/** Stretch is a part of the time, in milliseconds since 1970. */
export interface Stretch { from: number; to: number }

export type Zoom = 'all' | 'day' | 'hour' | 'minute'

const second = 1000
export const lengths: Record<Exclude<Zoom, 'all'>, number> = { day: 86400 * second, hour: 3600 * second, minute: 60 * second }

/** stretchOf is what a zoom shows around a place: never beyond the bounds, and all if they are shorter. */
export function stretchOf(bounds: Stretch, zoom: Zoom, center: number): Stretch {
  const length = zoom === 'all' ? Infinity : lengths[zoom]
  if (length >= bounds.to - bounds.from) return { from: bounds.from, to: Math.max(bounds.to, bounds.from + second) }
  const from = clamp(Math.floor((center - length / 2) / second) * second, bounds.from, bounds.to - length)
  return { from, to: from + length }
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

const steps = [1, 5, 15, 60, 300, 900, 3600, 3 * 3600].map((s) => s * second)

/** stepOf is how far an arrow key moves: a second if the timeline is short, and in a long one about a thousandth of it. */
export function stepOf({ from, to }: Stretch): number {
  return steps.findLast((s) => s <= (to - from) / 700) ?? second
}

/** moved is the place after a key, or undefined for a key that does not move. */
export function moved(key: string, place: number, shown: Stretch, bounds: Stretch): number | undefined {
  const step = stepOf(shown)
  const by: Record<string, number> = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step }
  if (key === 'Home') return bounds.from
  if (key === 'End') return bounds.to
  if (by[key] === undefined) return undefined
  // A move begins and ends at whole steps, so that the times are round.
  const next = by[key] > 0 ? Math.floor(place / step) * step + by[key] : Math.ceil(place / step) * step + by[key]
  return clamp(next, bounds.from, bounds.to)
}

/** placeAt is the place under a pointer: a whole second, or a bound at the edge that shows it. */
export function placeAt(fraction: number, shown: Stretch, bounds: Stretch): number {
  const place = shown.from + clamp(fraction, 0, 1) * (shown.to - shown.from)
  if (fraction >= 1 && shown.to >= bounds.to) return bounds.to
  if (fraction <= 0 && shown.from <= bounds.from) return bounds.from
  return clamp(Math.round(place / second) * second, bounds.from, bounds.to)
}

/** Bar is the changes of a bucket: its place and width as parts of the timeline, its heights as parts of the highest. */
export interface Bar { x: number; width: number; puts: number; deletes: number }

/** barsOf draws the buckets that are in a part of the time. A bucket with one change is still seen beside one with thousands. */
export function barsOf(buckets: Bucket[], shown: Stretch): Bar[] {
  const most = Math.max(1, ...buckets.map((b) => Math.max(b.puts, b.deletes)))
  const height = (n: number) => (n === 0 ? 0 : Math.max(0.08, n / most))
  const length = shown.to - shown.from
  return buckets.filter((b) => b.puts + b.deletes > 0 && placeOf(b.to) >= shown.from && placeOf(b.from) <= shown.to).map((b) => {
    const x = clamp((placeOf(b.from) - shown.from) / length, 0, 1)
    return { x, width: Math.max(0.002, clamp((placeOf(b.to) - shown.from) / length, 0, 1) - x), puts: height(b.puts), deletes: height(b.deletes) }
  })
}

/** ticksOf are the times under a timeline: its ends and two between them. */
export function ticksOf({ from, to }: Stretch): string[] {
  const isLong = to - from > 2 * lengths.day
  return [0, 1, 2, 3].map((i) => new Date(from + ((to - from) * i) / 3).toISOString())
    .map((t) => (isLong ? t.slice(0, 10) : t.slice(5, 19)).replace('T', ' '))
}
