import { describe, expect, test } from 'vitest'
import { compareMoments, exactText, momentAt, momentText, parseMoment, placeOf, textsOf, wholeSecond } from './moment'
import { barsOf, moved, placeAt, stepOf, stretchOf, ticksOf, type Stretch } from './timeline'

const start = Date.UTC(2026, 10, 1)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const bounds: Stretch = { from: start + 536, to: start + 35 * day }

describe('moments', () => {
  test.each([
    ['2026-11-26 21:00:05', '2026-11-26T21:00:05Z'], [' 2026-11-26T21:00:05.000000001Z ', '2026-11-26T21:00:05.000000001Z'],
    ['2026-11-26 21:00', '2026-11-26T21:00:00Z'], ['2026-11-26', '2026-11-26T00:00:00Z'], ['2026-11-26 21:00:05 utc', '2026-11-26T21:00:05Z'],
  ])('%s is read', (text, moment) => expect(parseMoment(text)).toBe(moment))

  test.each(['', 'now', '2026-02-30', '2026-11-26 25:00', '2026-11-26 21:00:05.0000000001', '2026-11-26 21:00:05+01:00'])('%s is refused', (text) => {
    expect(() => parseMoment(text)).toThrow('Write a time in UTC')
  })

  test('texts and places have milliseconds, and exact texts every digit', () => {
    expect(momentText('2026-11-26T21:00:05.123956789Z')).toBe('2026-11-26 21:00:05.123')
    expect(momentText('2026-11-26T21:00:05.000000001Z')).toBe('2026-11-26 21:00:05')
    expect(exactText('2026-11-26T21:00:05.123956789Z')).toBe('2026-11-26 21:00:05.123956789')
    expect(momentText('2026-11-26T21:00:05.000Z')).toBe('2026-11-26 21:00:05')
    expect(momentAt(placeOf('2026-11-26T21:00:05.123456789Z'))).toBe('2026-11-26T21:00:05.123Z')
    expect(momentAt(start)).toBe('2026-11-01T00:00:00Z')
    expect(wholeSecond('2026-11-26T21:00:05.9Z')).toBe('2026-11-26T21:00:05Z')
  })

  test('only moments of the same millisecond have every digit', () => {
    expect(textsOf([])).toEqual([])
    expect(textsOf(['2026-11-26T21:00:06.5000001Z', '2026-11-26T21:00:05.000000002Z', '2026-11-26T21:00:05.000000001Z', '2026-11-26T21:00:04Z']))
      .toEqual(['2026-11-26 21:00:06.500', '2026-11-26 21:00:05.000000002', '2026-11-26 21:00:05.000000001', '2026-11-26 21:00:04'])
  })

  test('a nanosecond is enough to be later', () => {
    expect(compareMoments('2026-11-26T21:00:05Z', '2026-11-26T21:00:05.000000001Z')).toBe(-1)
    expect(compareMoments('2026-11-26T21:00:05.1Z', '2026-11-26T21:00:05.09Z')).toBe(1)
    expect(compareMoments('2026-11-26T21:00:05.10Z', '2026-11-26T21:00:05.1Z')).toBe(0)
  })
})

describe('the timeline', () => {
  test('a zoom is around the moment and within the bounds', () => {
    expect(stretchOf(bounds, 'all', start)).toEqual(bounds)
    expect(stretchOf(bounds, 'hour', start + 5 * day)).toEqual({ from: start + 5 * day - hour / 2, to: start + 5 * day + hour / 2 })
    expect(stretchOf(bounds, 'day', Infinity)).toEqual({ from: bounds.to - day, to: bounds.to })
    expect(stretchOf(bounds, 'minute', 0)).toEqual({ from: bounds.from, to: bounds.from + minute })
    expect(stretchOf({ from: start, to: start }, 'day', start)).toEqual({ from: start, to: start + 1000 })
  })

  test('the keyboard reaches each second of a minute and an hour', () => {
    const shown = stretchOf(bounds, 'minute', start + 5 * day)
    expect(moved('ArrowRight', start + 5 * day, shown, bounds)).toBe(start + 5 * day + 1000)
    expect(moved('ArrowLeft', start + 5 * day + 1, shown, bounds)).toBe(start + 5 * day)
    expect(stepOf(stretchOf(bounds, 'hour', start + 5 * day))).toBe(5000)
    expect(moved('PageDown', start + 5 * day, bounds, bounds)).toBe(start + 5 * day - 10 * hour)
    expect(moved('Home', start + 5 * day, shown, bounds)).toBe(bounds.from)
    expect(moved('PageUp', bounds.to - 1, bounds, bounds)).toBe(bounds.to)
    expect(moved('a', start, shown, bounds)).toBeUndefined()
  })

  test('a pointer chooses whole seconds, and the end at the right edge', () => {
    const shown = stretchOf(bounds, 'minute', start + 5 * day)
    expect(placeAt(0.5 + 1 / 240, shown, bounds)).toBe(start + 5 * day)
    expect(placeAt(2, bounds, bounds)).toBe(bounds.to)
    expect(placeAt(-1, bounds, bounds)).toBe(bounds.from)
  })

  test('bars are where and as high as the changes', () => {
    const bucket = (from: number, puts: number, deletes: number) => ({ from: momentAt(from), to: momentAt(from + day), puts, deletes })
    const shown = { from: start, to: start + 10 * day }
    expect(barsOf([bucket(start, 4, 1000), bucket(start + day, 0, 0), bucket(start + 5 * day, 500, 0), bucket(start + 20 * day, 1, 1)], shown))
      .toEqual([{ x: 0, width: 0.1, puts: 0.08, deletes: 1 }, { x: 0.5, width: expect.closeTo(0.1) as number, puts: 0.5, deletes: 0 }])
    expect(ticksOf(shown)).toEqual(['2026-11-01', '2026-11-04', '2026-11-07', '2026-11-11'])
    expect(ticksOf({ from: start, to: start + 3 * minute })[1]).toBe('11-01 00:01:00')
  })
})
