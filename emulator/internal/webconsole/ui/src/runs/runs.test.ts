import { expect, test } from 'vitest'
import type { Seen } from '../api/requests'
import { rowOf } from './compare'
import { comparable } from './lastRun'
import { pairRequests } from './pair'

function seen(id: number, operation: string, target: string, more: Partial<Seen> = {}): Seen {
  return { id, cloud: 'dynamodb', time: '', durationMs: 1, operation, target: [target], status: 200, client: '', ...more }
}

const run = (...names: string[]) => names.map((name, i) => seen(i, name.split(' ')[0]!, name.split(' ')[1]!))

const shown = (before: Seen[], after: Seen[]) => pairRequests(before, after).map((p) =>
  `${p.before ? `${p.before.id}:${p.before.operation}` : '-'} ${p.after ? `${p.after.id}:${p.after.operation}` : '-'}`)

test('requests of two runs are paired in their order', () => {
  expect(shown(run('Put a', 'Get a', 'Get a'), run('Put a', 'Get b', 'Get a'))).toEqual(['0:Put 0:Put', '1:Get -', '- 1:Get', '2:Get 2:Get'])
  expect(shown(run('Put a'), [])).toEqual(['0:Put -'])
  expect(shown([], run('Put a', 'Get a'))).toEqual(['- 0:Put', '- 1:Get'])
  expect(shown([], [])).toEqual([])
})

test('a request that only moved has its counterpart', () => {
  expect(shown(run('Put a', 'Get b', 'Del c'), run('Get b', 'Del c', 'Put a'))).toEqual(['1:Get 0:Get', '2:Del 1:Del', '0:Put 2:Put'])
})

test('each request is in one pair', () => {
  const operations = ['Put', 'Get', 'Del']
  for (let seed = 0; seed < 200; seed++) {
    const some = (salt: number) => run(...Array.from({ length: (seed * salt) % 13 }, (_, i) => `${operations[(seed * 7 + i * i * salt) % 3]} a`))
    const [before, after] = [some(3), some(5)]
    const pairs = pairRequests(before, after)
    const ids = (all: (Seen | undefined)[]) => all.filter((s) => s !== undefined).map((s) => s.id).sort((a, b) => a - b)
    expect(ids(pairs.map((p) => p.before))).toEqual(before.map((s) => s.id))
    expect(ids(pairs.map((p) => p.after))).toEqual(after.map((s) => s.id))
  }
})

test('another status or error is a difference', () => {
  const before = seen(1, 'Put', 'a')
  expect(rowOf({ before, after: { ...before, status: 400, error: 'ValidationException' } }).differences).toEqual([
    { path: 'status', recorded: '200', answered: '400' }, { path: 'error', recorded: '', answered: 'ValidationException' },
  ])
  expect(rowOf({ before }).outcome).toBe('missing')
  expect(rowOf({ after: before }).outcome).toBe('new')
})

test('a recording is compared with requests that it could have', () => {
  const requests = [seen(1, 'Put', 'a'), seen(2, 'Get', 'a', { console: true }), seen(3, 'Upsert', 'b', { cloud: 'cosmos' })]
  const ids = (recorded: boolean) => comparable(requests, { requests: [], recorded }).map((s) => s.id)
  expect([ids(true), ids(false)]).toEqual([[1, 3], [1, 2, 3]])
})
