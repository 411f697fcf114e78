import { expect, test } from 'vitest'
import { copyAs, languages, type Language } from './copyas'
import { shell } from './cli'
import { quote } from './quote'

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

const key = { id: { S: 'a' }, b: { B: 'AAE=' } }
const transaction = {
  operation: 'TransactWriteItems',
  input: { ClientRequestToken: 'once', TransactItems: [
    { Put: { TableName: 't', Item: { id: { S: 'a' }, s: { BS: ['AAE='] } }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
    { Update: { TableName: 't', Key: { id: { S: 'x|y' } }, UpdateExpression: 'SET #0 = #0 + :0', ConditionExpression: 'attribute_exists(#0)',
      ExpressionAttributeNames: { '#0': 'n' }, ExpressionAttributeValues: { ':0': { N: '1' } } } },
    { ConditionCheck: { TableName: 'u', Key: { id: { S: 'c' } }, ConditionExpression: 'attribute_exists(id)' } },
  ] },
}
const reads = { operation: 'TransactGetItems', input: { TransactItems: [{ Get: { TableName: 't', Key: key, ProjectionExpression: 'id' } }] } }
const writes = { operation: 'BatchWriteItem', input: { RequestItems: { t: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }], uuu: [] }, ReturnConsumedCapacity: 'TOTAL' } }
const batch = { operation: 'BatchGetItem', input: { RequestItems: { t: { Keys: [key, { id: { S: 'b' } }], ConsistentRead: true, ProjectionExpression: '#0', ExpressionAttributeNames: { '#0': 'id' } } } } }

test.each(languages)('%s', async (language: Language) => {
  await expect([query, put, transaction, reads, writes, batch].map((request) => copyAs(language, request, at)).join('\n')).toMatchFileSnapshot(`./testdata/${language.replace(' ', '')}.txt`)
})

test('a shell reads any text as it is', () => {
  expect(shell("a'b")).toBe(`'a'\\''b'`)
  expect(shell('$(rm -rf /)')).toBe(`'$(rm -rf /)'`)
  expect(shell('')).toBe("''")
})

test('a program has no character that a language refuses or an editor hides', () => {
  expect(quote('ü "\\\n\u0000\u007f\u0085\u2028\u202e\u2067\ufeff\ud800')).toBe(String.raw`"ü \"\\\n\u0000\u007f\u0085\u2028\u202e\u2067\ufeff�"`)
})

test('a step that a feature file cannot hold is a comment', () => {
  expect(copyAs('Gherkin', put, at)).toMatch(/^# This request/)
  expect(copyAs('Gherkin', { operation: 'ExecuteStatement', input: { Statement: 'SELECT' } }, at)).toMatch(/^# No step/)
  expect(copyAs('Gherkin', { operation: 'Query', input: { TableName: 't', KeyConditionExpression: '#0 = :0', Limit: 2, ScanIndexForward: false,
    ExpressionAttributeNames: { '#0': 'id' }, ExpressionAttributeValues: { ':0': { S: '7' } } } }, at))
    .toBe('When a client sends a Query of "t" where "id = \'7\'", descending, limit 2')
})

test('a transaction is a step with a row for each item', () => {
  const [, ...items] = transaction.input.TransactItems
  expect(copyAs('Gherkin', { ...transaction, input: { ...transaction.input, TransactItems: items } }, at)).toBe(`When a client sends a transaction "once" of:
  | Update of "t" where "id = 'x\\|y'", only if "attribute_exists(n)", setting "SET n = n + 1" |
  | Check of "u" where "id = 'c'", only if "attribute_exists(id)" |`)
})

test.each(languages.filter((l) => l !== 'Gherkin'))('a request of another client cannot put code into %s', (language) => {
  const input = { TableName: 'ran()', 'x$(ran())': true, Item: { 'ran()': { BOOL: 'ran()' } }, AttributesToGet: ['ran()', ['ran()']], Select: { 'ran()': 1 } }
  const nested = { Put: { TableName: 'ran()', 'ran()': true, Item: { 'ran()': { BOOL: 'ran()' } } }, 'ran()': { x: 1 } }
  const text = [input, { TransactItems: [nested, 'ran()', null], RequestItems: { 'ran()': [nested, 'ran()'] } }, { TransactItems: 'ran()', RequestItems: { 'ran()': { Keys: 'ran()', 'ran()': 1 } } }]
    .map((i) => copyAs(language, { operation: 'PutItem', input: i }, at)).join()
  expect(text.replace(/"(\\.|[^"\\])*"|'[^']*'/g, '')).not.toContain('ran()')
})
