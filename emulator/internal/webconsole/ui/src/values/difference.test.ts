import { expect, test } from 'vitest'
import { record, type Item } from './attribute'
import { differences, kindOf, valueOfItem, valueOfNode } from './difference'
import { parse } from './losslessJson'

/** of writes what differs between two items: path, kind and texts. */
function of(before: Item | undefined, after: Item | undefined): string[] {
  return differences(before && valueOfItem(before), after && valueOfItem(after))
    .map((d) => [d.path, kindOf(d), d.before?.text ?? '-', d.after?.text ?? '-'].join(' '))
}

test('attributes are added, removed and changed', () => {
  expect(of({ a: { S: '1' }, b: { S: 'x' }, c: { N: '3' } }, { a: { S: '2' }, c: { N: '3' }, d: { BOOL: false } }))
    .toEqual(['a changed 1 2', 'b removed x -', 'd added - false'])
})

test('another type is a change, and the order of a set is none', () => {
  expect(of({ a: { S: '1' }, s: { SS: ['x', 'y'] }, n: { NULL: true } }, { a: { N: '1' }, s: { SS: ['y', 'x'] }, n: { NULL: true } }))
    .toEqual(['a changed 1 1'])
})

test('maps and lists are compared inside', () => {
  const before: Item = { m: { M: { city: { S: 'Lagos' }, 'a.b': { N: '1' } } }, l: { L: [{ S: 'x' }, { M: { n: { N: '1' } } }] } }
  const after: Item = { m: { M: { city: { S: 'Lisbon' } } }, l: { L: [{ S: 'x' }, { M: { n: { N: '2' } } }, { S: 'z' }] } }
  expect(of(before, after)).toEqual(['m.city changed Lagos Lisbon', 'm."a.b" removed 1 -', 'l[1].n changed 1 2', 'l[2] added - z'])
  expect(of({ m: { M: {} } }, { m: { L: [] } })).toEqual(['m changed {} []'])
})

test('a new or deleted item has all its attributes', () => {
  expect(of(undefined, { a: { S: '1' } })).toEqual(['a added - 1'])
  expect(of({ a: { S: '1' } }, undefined)).toEqual(['a removed 1 -'])
})

test('attributes may be called like members of every object', () => {
  expect(of(record([['__proto__', { S: '1' }]]), { constructor: { S: '2' } })).toEqual(['__proto__ removed 1 -', 'constructor added - 2'])
})

test('values that are cut still differ', () => {
  const long = 'x'.repeat(5000)
  expect(of({ a: { S: long + '1' } }, { a: { S: long + '2' } })).toHaveLength(1)
})

test('numbers of Cosmos DB keep their digits', () => {
  const value = (text: string) => valueOfNode(parse(text))
  expect(differences(value('{"n":12345678901234567890,"o":{"b":1,"a":[1]}}'), value('{"o":{"a":[1],"b":1},"n":12345678901234567891}')))
    .toMatchObject([{ path: 'n', before: { text: '12345678901234567890' }, after: { text: '12345678901234567891' } }])
})
