/** What a heat map shows of the load by partition and minute. */
import type { Heat, PartitionLoad } from '../api/admin'

/** The capacity of a partition in a minute (docs/capacity.md). */
const readsAMinute = 3000 * 60
const writesAMinute = 1000 * 60

export type Measure = 'both' | 'reads' | 'writes'

/** heatOf is the share of a partition's throughput that a minute used. */
export function heatOf(load: PartitionLoad, measure: Measure): number {
  if (load.units !== undefined || load.normalized !== undefined) return load.normalized ?? 0
  return Math.max(measure === 'writes' ? 0 : load.read / readsAMinute, measure === 'reads' ? 0 : load.write / writesAMinute)
}

/** Row is a partition with its load in each minute, the oldest first, and together. */
export interface Row {
  id: number
  /** The first hash of its range in hex; split: it has been split since. */
  from: string
  cells: { heat: number; throttled: boolean }[]
  reads: number; writes: number; units: number; throttled: number
  /** Of the load on the table, from 0 to 1. */
  share: number
}

export interface HeatMap { rows: Row[]; most: number; keys: { key: string; read: number; write: number; throttled: number }[]; omitted: number }

/** The most partitions that a map shows: those with the largest share. */
const maxRows = 40

/** mapOf is the map of the minutes before a time, which is in milliseconds. */
export function mapOf(heat: Heat, now: number, minutes: number, measure: Measure): HeatMap {
  const first = Math.floor(now / 60_000) - minutes + 1
  const rows = new Map<number, Row>()
  const rowOf = (id: number, from: string) => {
    const row: Row = rows.get(id) ?? {
      id, from, cells: Array.from({ length: minutes }, () => ({ heat: 0, throttled: false })), reads: 0, writes: 0, units: 0, throttled: 0, share: 0,
    }
    rows.set(id, row)
    return row
  }
  for (const p of heat.partitions ?? []) rowOf(p.id, hashOf(p.lo))
  const keys = new Map<string, { key: string; read: number; write: number; throttled: number }>()
  for (const minute of heat.minutes ?? []) {
    const at = Math.floor(Date.parse(minute.at) / 60_000) - first
    if (at < 0 || at >= minutes) continue
    for (const load of minute.partitions) {
      const row = rowOf(load.id, 'split')
      row.cells[at] = { heat: heatOf(load, measure), throttled: Boolean(load.throttled) }
      row.reads += load.read
      row.writes += load.write
      row.units += load.units ?? 0
      row.throttled += load.throttled ?? 0
    }
    for (const k of minute.keys) {
      const sum = keys.get(k.key) ?? { key: k.key, read: 0, write: 0, throttled: 0 }
      keys.set(k.key, { key: k.key, read: sum.read + k.read, write: sum.write + k.write, throttled: sum.throttled + (k.throttled ?? 0) })
    }
  }
  const weight = (l: { reads: number; writes: number; units: number }) =>
    l.units + (measure === 'writes' ? 0 : l.reads / 3) + (measure === 'reads' ? 0 : l.writes)
  const all = [...rows.values()]
  const total = all.reduce((sum, r) => sum + weight(r), 0)
  for (const r of all) r.share = total ? weight(r) / total : 0
  const least = [...all].sort((a, b) => b.share - a.share || a.id - b.id).slice(0, maxRows)
  const shown = all.length > maxRows ? all.filter((r) => least.includes(r)) : all
  const keyWeight = (k: { read: number; write: number }) => weight({ reads: k.read, writes: k.write, units: 0 })
  return {
    rows: shown, omitted: all.length - shown.length, most: Math.max(0, ...shown.flatMap((r) => r.cells.map((c) => c.heat))),
    keys: [...keys.values()].filter((k) => keyWeight(k) > 0).sort((a, b) => keyWeight(b) - keyWeight(a) || (a.key < b.key ? -1 : 1)).slice(0, 10),
  }
}

/** hashOf writes the first four bytes of a key, in base64, as hex. */
export function hashOf(key: string | null): string {
  if (!key) return '00000000'
  return [...atob(key).slice(0, 4)].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** levels are the paths of a row's cells in a box of one unit a minute, from weak to strong, and that of throttled minutes. */
export function levels(row: Row, most: number): { shades: string[]; throttled: string } {
  const shades = ['', '', '', '']
  let throttled = ''
  row.cells.forEach(({ heat, throttled: t }, x) => {
    if (heat > 0 && most > 0) shades[Math.min(3, Math.floor((heat / most) * 4))] += `M${x} 0h1v1h-1z`
    if (t) throttled += `M${x} 0.35h1v0.3h-1z`
  })
  return { shades, throttled }
}
