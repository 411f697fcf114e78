import { beforeEach, expect, test, vi } from 'vitest'
import { readSaved, withSaved, withoutSaved, writeSaved, type Saved } from './saved'

const isText = (query: unknown): query is string => typeof query === 'string'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', { getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => void stored.set(k, v) })
})

test('saved queries are in natural order, and a name is there once', () => {
  let all: Saved<string>[] = []
  for (const [name, query] of [['q10', 'a'], ['q2', 'b'], ['q10', 'c']] as const) all = withSaved(all, { name, query })
  expect(all).toEqual([{ name: 'q2', query: 'b' }, { name: 'q10', query: 'c' }])
  expect(withoutSaved(all, 'q2')).toEqual([{ name: 'q10', query: 'c' }])
})

test('the browser stores the queries of each kind', () => {
  expect(writeSaved('cosmos', [{ name: 'a', query: 'SELECT' }])).toBe(true)
  expect(readSaved('cosmos', isText)).toEqual([{ name: 'a', query: 'SELECT' }])
  expect(readSaved('partiql', isText)).toEqual([])
})

test('what is no saved query is left out', () => {
  localStorage.setItem('tabletop.saved.cosmos', '[null,7,{"name":1,"query":"a"},{"name":"a","query":7},{"name":"b","query":"c"}]')
  expect(readSaved('cosmos', isText)).toEqual([{ name: 'b', query: 'c' }])
  for (const broken of ['{', '{}', 'null']) {
    localStorage.setItem('tabletop.saved.cosmos', broken)
    expect(readSaved('cosmos', isText)).toEqual([])
  }
})

test('a browser that stores nothing says so', () => {
  vi.stubGlobal('localStorage', { getItem: () => { throw new Error('off') }, setItem: () => { throw new Error('off') } })
  expect(writeSaved('cosmos', [])).toBe(false)
  expect(readSaved('cosmos', isText)).toEqual([])
})
