import { describe, expect, test } from 'vitest'
import { record, sameItem, type Item } from './attribute'
import { parseDynamoJson, printDynamoJson } from './dynamoJson'
import { JSONError, compact, parse, print } from './losslessJson'
import { parseNativeJson, printNativeJson } from './nativeJson'

const exact = '12345678901234567890.123456789012345678'

const everything: Item = record([
  ['s', { S: 'שלום "quoted" \\ \u0000 😀' }], ['n', { N: exact }], ['small', { N: '1E-130' }], ['b', { B: 'AAEC' }], ['t', { BOOL: true }],
  ['nothing', { NULL: true }], ['ss', { SS: ['a', 'b'] }], ['ns', { NS: ['1', exact] }], ['bs', { BS: ['AAE=', ''] }],
  ['l', { L: [{ S: '' }, { L: [] }, { M: record() }, { SS: ['x'] }] }], ['m', { M: record([['__proto__', { S: 'p' }], ['n', { N: '-0.5' }]]) }],
  ['marker', { M: record([['$binary', { S: 'not binary' }]]) }], ['twice', { M: record([['$map', { M: record([['$map', { N: '1' }]]) }]]) }],
  ['__proto__', { S: 'own' }],
])

test('every type survives native JSON', () => {
  expect(sameItem(parseNativeJson(printNativeJson(everything)), everything)).toBe(true)
  expect(printNativeJson(everything)).toContain(`"n": ${exact}`)
})

test('every type survives DynamoDB JSON', () => {
  expect(sameItem(parseDynamoJson(printDynamoJson(everything)), everything)).toBe(true)
})

test('numbers that JSON cannot write become ones that it can', () => {
  expect(printNativeJson({ a: { N: '.5' }, b: { N: '+007' }, c: { N: '5.' }, d: { N: '-.5E3' } }))
    .toBe('{\n  "a": 0.5,\n  "b": 7,\n  "c": 5,\n  "d": -0.5E3\n}')
})

describe('mistakes have a place', () => {
  const cases: [string, (t: string) => unknown, string, string][] = [
    ['a duplicate name', parseNativeJson, '{"a": 1, "a": 2}', 'there twice'],
    ['39 digits', parseNativeJson, `{"a": ${'1'.repeat(39)}}`, '38 significant digits'],
    ['an empty set', parseNativeJson, '{"a": {"$stringSet": []}}', 'at least one member'],
    ['a member twice', parseNativeJson, '{"a": {"$numberSet": [1, 1]}}', 'there twice'],
    ['binary', parseNativeJson, '{"a": {"$binary": "?"}}', 'base64'],
    ['no object', parseNativeJson, '[1]', 'An item is an object'],
    ['an unknown type', parseDynamoJson, '{"a": {"X": "1"}}', 'X is not a type'],
    ['a raw number', parseDynamoJson, '{"a": {"N": 1}}', 'in quotes'],
    ['two types', parseDynamoJson, '{"a": {"S": "1", "N": "1"}}', 'one type'],
    ['NULL false', parseDynamoJson, '{"a": {"NULL": false}}', 'NULL is true'],
    ['a trailing comma', parse, '[1,]', 'Unexpected ]'],
    ['an open string', parse, '"a', 'not closed'],
    ['text after the value', parse, '1 2', 'after the value'],
    ['nothing', parse, '', 'missing'],
    ['a leading zero', parse, '01', 'not a JSON value'],
    ['a wrong escape', parse, '"\\x"', 'wrong escape'],
  ]
  test.each(cases)('%s', (_, read, text, message) => {
    try {
      read(text)
    } catch (error) {
      expect(error).toBeInstanceOf(JSONError)
      expect((error as JSONError).message).toContain(message)
      expect((error as JSONError).from).toBeLessThanOrEqual(text.length)
      return
    }
    throw new Error('no mistake was found')
  })
})

test('JSON keeps the text of numbers and the order of names', () => {
  const text = '{"b":1.10,"a":[1e400,12345678901234567890],"2":null,"1":true}'
  expect(compact(parse(text))).toBe(text)
  expect(compact(parse(print(parse(text))))).toBe(text)
})

test('JSON that is too deep is refused, not a crash', () => {
  expect(() => parse('['.repeat(100_000))).toThrow('Nested deeper')
})
