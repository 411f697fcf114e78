import { expect, test } from 'vitest'
import { parse, plain, type Node } from './losslessJson'
import { naturalOrder, sortDocuments, sortItems } from './sorting'

const items = (text: string) => { const node = parse(text); return node.kind === 'array' ? node.items : [] }
const texts = (nodes: Node[]) => nodes.map(plain).join(' ')

test('names have a natural order', () => {
  expect(['a10', 'b', 'a2', 'A2', 'a', 'total', 'état'].sort(naturalOrder)).toEqual(['a', 'a2', 'A2', 'a10', 'b', 'état', 'total'])
  expect(naturalOrder('a', 'a')).toBe(0)
})

test('numbers are ordered exactly, and absent values are last in both directions', () => {
  const rows = items('[{"n":12345678901234567891},{},{"n":12345678901234567890},{"n":9},{"n":1e30}]')
  expect(texts(sortDocuments(rows, { column: 'n', descending: false }))).toBe('{"n":9} {"n":12345678901234567890} {"n":12345678901234567891} {"n":1e30} {}')
  expect(texts(sortDocuments(rows, { column: 'n', descending: true }))).toMatch(/^{"n":1e30}.* {}$/)
  expect(sortItems([{ n: { N: '10' } }, { n: { N: '9' } }, {}], { column: 'n', descending: false })).toEqual([{ n: { N: '9' } }, { n: { N: '10' } }, {}])
})

test('results that are no objects are ordered by themselves', () => {
  expect(texts(sortDocuments(items('["b",2,"a",10]'), { column: 'value', descending: false }))).toBe('2 10 a b')
  expect(sortDocuments(items('[2,1]'), undefined).length).toBe(2)
})
