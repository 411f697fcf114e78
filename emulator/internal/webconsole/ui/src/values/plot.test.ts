import { expect, test } from 'vitest'
import { axisMaximum, compact, dots, line, timeText } from './plot'

test('an axis ends at a round number', () => {
  for (const [most, top] of [[0, 1], [0.3, 0.5], [1, 1], [1.01, 2], [4200, 5000], [51, 100]] as const) {
    expect(axisMaximum([undefined, 0, most])).toBeCloseTo(top)
  }
})

test('lines have gaps, and lone values are dots', () => {
  expect(line([1, 2, undefined, 0, undefined], 2)).toBe('M0 50L250 0M750 100')
  expect(line([undefined], 1)).toBe('')
})

test('values and times are short', () => {
  expect([undefined, 0, 1.2345, 12345, 0.00012].map(compact)).toEqual(['–', '0', '1.23', '12.3K', '0.00012'])
  expect(timeText(90061, true)).toBe('01:01:01')
  expect(timeText(90061, false, true)).toBe('01-02 01:01')
})

test('values without a neighbour are dots', () => {
  expect(dots([1, 2, undefined, 0, undefined], 2)).toBe('M750 100h0.01')
  expect(dots([undefined, 1], 1)).toBe('M1000 0h0.01')
  expect(dots([1, 1], 1)).toBe('')
})
