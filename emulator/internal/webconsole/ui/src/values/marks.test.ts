import { expect, test } from 'vitest'
import { cosmosMarks, cosmosMistakes, partiqlMarks, placeOf, type Marks } from './marks'

const marked = ({ text, marks }: Marks) => marks.map((m) => text.slice(m.from, m.to))

test('DynamoDB counts lines, columns and lengths in characters', () => {
  expect(marked(partiqlMarks('SELECT * FROM t WHERE\n nofunc(a)', 'Unrecognized function: nofunc at 2:2:6'))).toEqual(['nofunc'])
  expect(marked(partiqlMarks(`SELECT * FROM t WHERE x = 'ü😀' AND nofunc(a)`, 'Unrecognized function: nofunc at 1:36:6'))).toEqual(['nofunc'])
  expect(partiqlMarks('SELECT', 'Unsupported clause: LIMIT at 1:1:6').marks[0]!.message).toBe('Unsupported clause: LIMIT at 1:1:6')
})

test('a place that is not in the text is at its end', () => {
  expect(marked(partiqlMarks('SELECT a', 'Unexpected at 9:9:9'))).toEqual(['a'])
  expect(partiqlMarks('', 'Unexpected at 1:1:1').marks).toEqual([{ from: 0, to: 0, message: 'Unexpected at 1:1:1' }])
})

test('a message without a place marks nothing', () => {
  expect(partiqlMarks('SELEC', "Statement wasn't well formed, can't be processed: Expected data manipulation").marks).toEqual([])
  expect(partiqlMarks('x', 'Unknown table at 1:1:1 of nothing').marks).toEqual([])
  for (const message of ['', 'Message: {', '{"errors":[{"code":4001}]}', '{"Errors":["a"]}', '{"errors":[null]}']) expect(cosmosMarks('SELECT', message).marks).toEqual([])
})

test('Cosmos DB counts bytes', () => {
  const message = (start: number, end: number) => `Message: {"errors":[{"severity":"Error","location":{"start":${start},"end":${end}},"code":"SC1001","message":"near c"}]}`
  expect(marked(cosmosMarks('SELECT *\nFROM c WHER c', message(21, 22)))).toEqual(['c'])
  expect(marked(cosmosMarks(`SELECT 'ü😀' x y`, message(18, 19)))).toEqual(['y'])
  expect(cosmosMarks('SELECT', message(6, 6)).marks).toEqual([{ from: 5, to: 6, message: 'near c' }])
})

test('a mistake of Cosmos DB has its code, its words and its place', () => {
  const text = 'SELECT *\nFROM ü WHERE c'
  const [mistake, other] = cosmosMistakes(text, 'Message: {"errors":[{"location":{"start":23,"end":24},"code":"SC1001","message":"near c"},{"code":7,"message":"b"}]}')
  expect(mistake).toMatchObject({ code: 'SC1001', message: 'near c' })
  expect(placeOf(text, mistake!.mark!)).toEqual({ line: 2, column: 14, parts: ['FROM ü WHERE ', 'c', ''] })
  expect(other).toEqual({ code: '7', message: 'b' })
  expect(placeOf('a b\nc', { from: 0, to: 5, message: '' })).toEqual({ line: 1, column: 1, parts: ['', 'a b', ''] })
})
