import { beforeEach, expect, test, vi } from 'vitest'
import { maxColumns, propertyColumns, readHidden, shownColumns, writeHidden } from './columns'
import { parse } from './losslessJson'
import { columns } from './table'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => void stored.set(k, v), removeItem: (k: string) => void stored.delete(k),
  })
})

test('the columns of items are the keys, then the other attributes in natural order', () => {
  expect(columns([{ a10: { S: '' }, sk: { S: '' }, b: { S: '' } }, { pk: { S: '' }, a2: { S: '' }, sk: { S: '' } }], ['pk', 'sk'])).toEqual(['pk', 'sk', 'a2', 'a10', 'b'])
})

test('the columns of results are id, the partition key, the others in natural order, and the time', () => {
  const documents = [parse('{"a10":1,"id":"1","_rid":"r","_ts":1,"tenant":{"id":"t"},"a2":1}'), parse('{"_etag":"e","B":2}'), parse('7')]
  expect(propertyColumns(documents, ['/tenant/id', '/user'])).toEqual(['id', 'tenant', 'a2', 'a10', 'B', '_ts'])
})

test('hidden columns are not shown, except the fixed ones', () => {
  expect(shownColumns(['pk', 'a', 'b'], ['pk'], new Set(['pk', 'a', 'gone']))).toEqual(['pk', 'b'])
  expect(shownColumns(Array.from({ length: 100 }, (_, i) => `a${i}`), [], new Set(['a0']))).toHaveLength(maxColumns)
})

test('the browser stores the hidden columns of each grid', () => {
  writeHidden('dynamodb/orders', new Set(['a', '__proto__']))
  expect([...readHidden('dynamodb/orders')]).toEqual(['a', '__proto__'])
  expect(readHidden('dynamodb/others').size).toBe(0)
  writeHidden('dynamodb/orders', new Set())
  expect(localStorage.getItem('tabletop.columns.dynamodb/orders')).toBeNull()
  for (const broken of ['{', '7', '[1,"a"]']) {
    localStorage.setItem('tabletop.columns.x', broken)
    expect([...readHidden('x')]).toEqual(broken.includes('a') ? ['a'] : [])
  }
})

test('a browser that stores nothing shows all columns', () => {
  vi.stubGlobal('localStorage', { getItem: () => { throw new Error('off') }, setItem: () => { throw new Error('off') } })
  writeHidden('x', new Set(['a']))
  expect(readHidden('x').size).toBe(0)
})
