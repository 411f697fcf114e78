import { expect, test } from 'vitest'
import { copyAs, languages, type Language } from './copyas'
import { shell } from './cli'

const at = { endpoint: 'http://127.0.0.1:8000', region: 'us-east-1', accessKeyId: 'tabletop', secretAccessKey: 'tabletop' }

const query = {
  operation: 'Query',
  input: {
    TableName: 'orders', IndexName: 'by-state', KeyConditionExpression: '#0 = :0 AND #1 > :1', ScanIndexForward: false,
    ExpressionAttributeNames: { '#0': 'state', '#1': 'number' }, ExpressionAttributeValues: { ':0': { S: "it's" }, ':1': { N: '2' } },
    Limit: 5, ReturnConsumedCapacity: 'TOTAL',
  },
}
const put = {
  operation: 'PutItem',
  input: { TableName: 't', Item: { id: { S: 'a"b' }, b: { B: 'AAE=' }, s: { NS: ['1'] }, l: { L: [{ BOOL: true }, { NULL: true }] }, B: { M: { B: { S: 'x' } } } } },
}

test.each(languages)('%s', async (language: Language) => {
  await expect(copyAs(language, query, at) + '\n' + copyAs(language, put, at)).toMatchFileSnapshot(`./testdata/${language.replace(' ', '')}.txt`)
})

test('a shell reads any text as it is', () => {
  expect(shell("a'b")).toBe(`'a'\\''b'`)
  expect(shell('$(rm -rf /)')).toBe(`'$(rm -rf /)'`)
  expect(shell('')).toBe("''")
})

test('a step that a feature file cannot hold is a comment', () => {
  expect(copyAs('Gherkin', put, at)).toMatch(/^# This request/)
  expect(copyAs('Gherkin', { operation: 'ExecuteStatement', input: { Statement: 'SELECT' } }, at)).toMatch(/^# No step/)
  expect(copyAs('Gherkin', { operation: 'Query', input: { TableName: 't', KeyConditionExpression: '#0 = :0', Limit: 2, ScanIndexForward: false,
    ExpressionAttributeNames: { '#0': 'id' }, ExpressionAttributeValues: { ':0': { S: '7' } } } }, at))
    .toBe('When a client sends a Query of "t" where "id = \'7\'", descending, limit 2')
})

test.each(languages.filter((l) => l !== 'Gherkin'))('a request of another client cannot put code into %s', (language) => {
  const input = { TableName: 'ran()', 'x$(ran())': true, Item: { 'ran()': { BOOL: 'ran()' } }, AttributesToGet: ['ran()', ['ran()']], Select: { 'ran()': 1 } }
  const text = copyAs(language, { operation: 'PutItem', input }, at)
  expect(text.replace(/"(\\.|[^"\\])*"|'[^']*'/g, '')).not.toContain('ran()')
})
