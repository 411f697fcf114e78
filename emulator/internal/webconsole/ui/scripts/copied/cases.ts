/** The queries whose programs are run, and what each must print. */
import type { CosmosQuery } from '../../src/copyas/cosmos/query'

/** The characters that end strings, start code or cannot be in the source of some language. */
const hostile = 'it\'s "a" \\ %s {0}\n\r\t\b\0 ${ran} $(ran) `ran` \\u0022 ü 漢 😀 \u0085\u2028\u2029\u202e\u2066\ufeff'

/** A name that Azure allows: without / \ ? # and control characters. */
const database = 'ana\'s "shop" ${ran} $(ran) `ran` 50% ü+&=漢😀'

/** 38 digits. A partition key of this number is that of the nearest double. */
const digits = '12345678901234567890123456789012345678'

export interface NewContainer { database: string; id: string; paths: string[]; items: { key: string; body: string }[] }

const item = (key: string, id: string, fields: string) => ({ key, body: `{"id":"${id}",${fields}}` })
const customer = (value: string, id: string) => item(`[${value}]`, id, `"customer":${value},"text":${JSON.stringify(hostile)},"amount":${digits},"deep":{"a":{"b":{"c":[null,{"d":true}]}}}`)
const tenant = (values: string[], id: string) => item(`[${values.join()}]`, id, `"tenant":${values[0]},"number":${values[1]},"open":${values[2]}`)

export const containers: NewContainer[] = [
  { database, id: database, paths: ['/customer'], items: [
    customer(JSON.stringify(hostile), 'text'), customer(digits, 'number'), customer('-0.5', 'fraction'), customer('true', 'true'), customer('null', 'null'),
  ] },
  { database, id: 'levels', paths: ['/tenant', '/number', '/open'], items: [
    tenant([JSON.stringify(hostile), digits, 'true'], '1'), tenant([JSON.stringify(hostile), digits, 'null'], '2'), tenant(['"b"', '2', 'false'], '3'),
  ] },
]

export interface Case extends CosmosQuery {
  /** What the program prints, in any order; a command that reads one page prints at most `limit` of them. */
  want: unknown[]
}

const one = { database, container: database, limit: 100 }
const levels = { ...one, container: 'levels', sql: 'SELECT VALUE c.id FROM c' }
const ids = 'SELECT VALUE c.id\nFROM c -- \'"${ran}`ran`$(ran)'

export const cases: Record<string, Case> = {
  'a text in the query': { ...one, sql: `SELECT c.id, c.text, c.amount, c.deep FROM c\nWHERE c.text = ${JSON.stringify(hostile)} AND c.amount = ${digits}`, partitionKey: '',
    want: ['text', 'number', 'fraction', 'true', 'null'].map((id) => ({ id, text: hostile, amount: Number(digits), deep: { a: { b: { c: [null, { d: true }] } } } })) },
  'pages': { ...one, sql: ids, partitionKey: '', limit: 2, want: ['text', 'number', 'fraction', 'true', 'null'] },
  'a text as the key': { ...one, sql: ids, partitionKey: JSON.stringify([hostile]), want: ['text'] },
  'a number of 38 digits as the key': { ...one, sql: ids, partitionKey: `[${digits}]`, want: ['number'] },
  'a fraction as the key': { ...one, sql: ids, partitionKey: '[-0.5]', want: ['fraction'] },
  'true as the key': { ...one, sql: ids, partitionKey: '[true]', want: ['true'] },
  'null as the key': { ...one, sql: ids, partitionKey: '[null]', want: ['null'] },
  'a key of three levels': { ...levels, partitionKey: `[${JSON.stringify(hostile)}, ${digits}, true]`, want: ['1'] },
  'null in a key of three levels': { ...levels, partitionKey: `[${JSON.stringify(hostile)}, ${digits}, null]`, want: ['2'] },
  'the first levels of a key': { ...levels, partitionKey: `[${JSON.stringify(hostile)}, ${digits}]`, want: ['1', '2'] },
}
