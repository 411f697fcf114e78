import { expect, test } from 'vitest'
import { keep, remember, type Sent } from './history'

const sent = (n: number): Sent => ({ operation: 'GetItem', text: `{"n":${n}}` })

test('a request that is sent again becomes the newest, and is there once', () => {
  let all: Sent[] = []
  for (const n of [1, 2, 1]) all = remember(all, sent(n))
  expect(all).toEqual([sent(1), sent(2)])
})

test('the oldest are forgotten, but not those that are kept', () => {
  let all = remember([], sent(0))
  all = keep(all, all[0]!)
  for (let n = 1; n <= 40; n++) all = remember(all, sent(n))
  expect(all.length).toBe(31)
  expect(all.at(-1)).toEqual({ ...sent(0), kept: true })
  all = remember(all, sent(0))
  expect(all[0]).toEqual({ ...sent(0), kept: true })
  expect(keep(all, all[0]!)[0]).toEqual(sent(0))
})

test('a text that is too long is not remembered', () => {
  expect(remember([], { operation: 'PutItem', text: 'x'.repeat(50_001) })).toEqual([])
})
