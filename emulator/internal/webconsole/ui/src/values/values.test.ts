import { expect, test } from 'vitest'
import { cut, display, sameValue } from './attribute'
import { itemsAsCSV } from './csv'
import { compareNumbers, numberError } from './number'
import { parsePath, quoteName } from './path'
import { bytes, itemSize } from './size'
import { columns } from './table'

test('numbers are those of DynamoDB', () => {
  for (const good of ['0', '-1', '1.50', '.5', '5.', '+3', '1E125', '9.9E+125', '1e-130', '9'.repeat(38), '1' + '0'.repeat(125), '0.' + '0'.repeat(100) + '1']) {
    expect(numberError(good), good).toBe('')
  }
  for (const bad of ['', 'x', '1,5', '0x10', 'NaN', 'Infinity', '1E126', '1e-131', '9'.repeat(39), '1 2', '--1']) {
    expect(numberError(bad), bad).not.toBe('')
  }
})

test('numbers are ordered exactly', () => {
  const order = ['-1E125', '-10', '-9.5', '-0.001', '0', '1E-130', '0.5', '9', '10', '12345678901234567890123456789012345678', '12345678901234567890123456789012345679', '1E125']
  const shuffled = [...order].reverse()
  expect(shuffled.sort(compareNumbers)).toEqual(order)
  expect(compareNumbers('1.0', '1')).toBe(0)
  expect(compareNumbers('-0', '0')).toBe(0)
})

test('sets are the same in any order, lists are not', () => {
  expect(sameValue({ SS: ['a', 'b'] }, { SS: ['b', 'a'] })).toBe(true)
  expect(sameValue({ L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] })).toBe(false)
  expect(sameValue({ S: '1' }, { N: '1' })).toBe(false)
})

test('a value is shown on one line and cut between characters', () => {
  expect(display({ M: { a: { L: [{ N: '1' }, { NULL: true }] } } })).toBe('{a: [1, null]}')
  expect(cut('ab😀', 3)).toBe('ab…')
  expect(display({ S: 'x'.repeat(400_000) }).length).toBe(201)
})

test('paths', () => {
  expect(parsePath('a.b[0][1].c')).toEqual([{ name: 'a' }, { name: 'b' }, { index: 0 }, { index: 1 }, { name: 'c' }])
  expect(parsePath('"a.b".c')).toEqual([{ name: 'a.b' }, { name: 'c' }])
  for (const name of ['plain', 'with space', 'a.b', '[0]', '"', 'שלום', ' ']) expect(parsePath(quoteName(name))).toEqual([{ name }])
  for (const wrong of ['', 'a.', '[0]', 'a..b', 'a[x]', 'a[0]b']) expect(() => parsePath(wrong), wrong).toThrow()
})

test('CSV quotes, keeps digits and runs no formula', () => {
  expect(itemsAsCSV([{ a: { S: '=1+1' }, b: { N: '-12345678901234567890' }, c: { S: 'x "y",\nz' }, d: { SS: ['p'] } }, {}], ['a', 'b', 'c', 'd']))
    .toBe('a,b,c,d\r\n\'=1+1,-12345678901234567890,"x ""y"",\nz","{""$stringSet"": [""p""]}"\r\n,,,\r\n')
  expect(itemsAsCSV([{ '=1+1': { N: '-1' } }], ['=1+1'])).toBe("'=1+1\r\n-1\r\n")
})

test('the size of an item is counted as the service counts it', () => {
  expect(itemSize({ id: { S: '7' } })).toBe(3)
  expect(itemSize({ ü: { BOOL: true } })).toBe(3)
  expect(itemSize({ b: { B: 'AAE=' } })).toBe(3)
  expect(itemSize({ l: { L: [{ S: 'ab' }] } })).toBe(1 + 3 + 1 + 2)
  expect(bytes(1536)).toBe('1.5 KB')
})

test('columns are the keys, then what most items have', () => {
  expect(columns([{ id: { S: '1' }, b: { S: '' } }, { id: { S: '2' }, a: { S: '' }, b: { S: '' } }], ['id'])).toEqual(['id', 'a', 'b'])
})
