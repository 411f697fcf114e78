import { expect, test } from 'vitest'
import type { Profile } from '../../api/load'
import { duration, secondsOf, stagesText } from './texts'

test.each([['10s', '10 s'], ['1m30s', '1 min 30 s'], ['1h0m0s', '1 h'], ['1h2m3s', '1 h 2 min 3 s'], ['500ms', '0.5 s'], ['1.5s', '1.5 s']])(
  'the duration %s is written %s', (text, written) => expect(duration(secondsOf(text))).toBe(written))

test('stages have durations as the rest of the page has them', () => {
  const stages = [{ rate: 5, duration: '10s', warm_up: true }, { rate: 1000, to: 2000, duration: '2m0s' }]
  expect(stagesText({ stages } as Profile)).toBe('5/s for 10 s (warm-up), 1,000 to 2,000/s for 2 min')
})
