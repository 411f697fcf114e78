import { describe, expect, test } from 'vitest'
import { putValue, removeValue, type Path } from './editJson'

const text = '{\n  "a": 1.50,\n  "b": [ 1, 2 ],\n  "c": {}\n}\n'

describe('putValue', () => {
  test.each<[Path, unknown, string]>([
    [['a'], 'x', '{\n  "a": "x",\n  "b": [ 1, 2 ],\n  "c": {}\n}\n'],
    [['b', 1], 3, '{\n  "a": 1.50,\n  "b": [ 1, 3 ],\n  "c": {}\n}\n'],
    [['b', 2], 3, '{\n  "a": 1.50,\n  "b": [ 1, 2, 3 ],\n  "c": {}\n}\n'],
    [['c', 'd', 'e'], 1, '{\n  "a": 1.50,\n  "b": [ 1, 2 ],\n  "c": {\n    "d": {\n      "e": 1\n    }\n  }\n}\n'],
    [['d'], { e: 1 }, '{\n  "a": 1.50,\n  "b": [ 1, 2 ],\n  "c": {},\n  "d": {\n    "e": 1\n  }\n}\n'],
    [['c', '__proto__'], 1, '{\n  "a": 1.50,\n  "b": [ 1, 2 ],\n  "c": {\n    "__proto__": 1\n  }\n}\n'],
    [['a', 'x'], 1, '{\n  "a": {\n    "x": 1\n  },\n  "b": [ 1, 2 ],\n  "c": {}\n}\n'],
  ])('%j', (path, value, want) => expect(putValue(text, path, value)).toBe(want))

  test('one line stays one line', () => expect(putValue('{"a":[{"b":1}]}', ['a', 0, 'c'], 'x')).toBe('{"a":[{"b":1, "c": "x"}]}'))
  test('what is not JSON', () => expect(() => putValue('{', ['a'], 1)).toThrow('A name'))
})

describe('removeValue', () => {
  test.each<[Path, string]>([
    [['a'], '{\n  "b": [ 1, 2 ],\n  "c": {}\n}\n'],
    [['c'], '{\n  "a": 1.50,\n  "b": [ 1, 2 ]\n}\n'],
    [['b', 0], '{\n  "a": 1.50,\n  "b": [ 2 ],\n  "c": {}\n}\n'],
    [['none'], text], [['c', 'd'], text], [['x', 'y'], text],
  ])('%j', (path, want) => expect(removeValue(text, path)).toBe(want))

  test('the only one', () => expect(removeValue('{"a": [\n 1 ]}', ['a', 0])).toBe('{"a": []}'))
})
