import { expect, test } from 'vitest'
import type { Heat } from '../api/admin'
import { hashOf, levels, mapOf } from './heat'

const heat: Heat = {
  resource: 'orders', cloud: 'dynamodb',
  partitions: [{ id: 1, lo: null, hi: 'QAAAAA==', bytes: 0 }, { id: 2, lo: 'QAAAAA==', hi: null, bytes: 0 }],
  minutes: [
    { at: '2026-11-21T12:00:00Z', partitions: [{ id: 1, read: 0, write: 600 }, { id: 2, read: 900, write: 0, throttled: 2 }], keys: [{ key: 'a', read: 0, write: 600 }] },
    { at: '2026-11-21T12:01:00Z', partitions: [{ id: 1, read: 0, write: 300 }], keys: [{ key: 'a', read: 0, write: 300 }, { key: 'b', read: 30, write: 0 }] },
  ],
}
const now = Date.parse('2026-11-21T12:01:59Z')

test('a map has the minutes before a time, and each partition’s share', () => {
  const { rows, most, keys } = mapOf(heat, now, 2, 'both')
  expect(rows.map((r) => [r.id, r.from, r.reads, r.writes, r.throttled, r.share])).toEqual([[1, '00000000', 0, 900, 0, 0.75], [2, '40000000', 900, 0, 2, 0.25]])
  expect(most).toBeCloseTo(0.01)
  expect(keys).toEqual([{ key: 'a', read: 0, write: 900, throttled: 0 }, { key: 'b', read: 30, write: 0, throttled: 0 }])
  expect(levels(rows[0]!, most)).toEqual({ shades: ['', '', 'M1 0h1v1h-1z', 'M0 0h1v1h-1z'], throttled: '' })
  expect(levels(rows[1]!, most).throttled).toBe('M0 0.35h1v0.3h-1z')
})

test('older minutes and the other measure are left out', () => {
  const { rows } = mapOf(heat, now, 1, 'reads')
  expect(rows.map((r) => [r.writes, r.share])).toEqual([[300, 0], [0, 0]])
  expect(mapOf(heat, now, 2, 'reads').rows.map((r) => r.share)).toEqual([0, 1])
})

test('hashes are of the first bytes', () => {
  expect(hashOf('gAAAAA==')).toBe('80000000')
})
