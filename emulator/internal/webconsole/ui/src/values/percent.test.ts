import { expect, test } from 'vitest'
import { percent } from './percent'

test('a share is never an exponent, and something is never 0%', () => {
  expect([0, NaN, 0.0000028, 0.00099, 0.001, 0.034, 0.0996, 0.454, 0.999, 1, 12].map(percent))
    .toEqual(['0%', '0%', 'under 0.1%', 'under 0.1%', '0.1%', '3.4%', '10%', '45%', '99%', '100%', '1,200%'])
})
