import { expect, test } from 'vitest'
import { compareLines } from './lines'

const marks = (a: string[], b: string[]) => compareLines(a.join('\n'), b.join('\n')).map((p) => (p.same ? p.left : `${p.left ?? '·'}|${p.right ?? '·'}`))

test('lines that differ are beside each other', () => {
  expect(marks(['{', 'a', 'b', 'c', '}'], ['{', 'a', 'x', 'c', 'd', '}'])).toEqual(['{', 'a', 'b|x', 'c', '·|d', '}'])
  expect(marks(['a', 'b'], ['b'])).toEqual(['a|·', 'b'])
  expect(marks(['a'], ['a'])).toEqual(['a'])
  expect(marks(['1', '2', '3'], ['9'])).toEqual(['1|9', '2|·', '3|·'])
})

test('long texts are compared line by line', () => {
  const many = (first: string) => [first, ...Array.from({ length: 3000 }, (_, i) => `${first}${i}`)]
  expect(marks(many('a'), many('b'))).toHaveLength(3001)
})
