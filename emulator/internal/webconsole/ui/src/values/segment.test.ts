import { expect, test } from 'vitest'
import { nameOf, segment } from './segment'

test.each(['a', '.', '..', '...', '..;', ';', 'a/b', '%2e%2e', 'ü', 'dbs', '?#'])('a browser keeps the name %s', (name) => {
  const { pathname } = new URL(`http://localhost/api/dbs/app/colls/${segment(name)}`)
  const parts = pathname.split('/')
  expect(parts.slice(0, -1).join('/')).toBe('/api/dbs/app/colls')
  expect(nameOf(parts.at(-1)!)).toBe(name)
})

test('an address that the console never writes is kept', () => {
  expect(nameOf('%zz')).toBe('%zz')
})
