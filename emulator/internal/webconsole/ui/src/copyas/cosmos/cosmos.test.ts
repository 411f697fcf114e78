import { expect, test } from 'vitest'
import { copyCosmosAs, cosmosLanguages } from './cosmos'

const at = { endpoint: 'https://127.0.0.1:8081/', key: 'c2VjcmV0' }
const all = { database: 'shop', container: 'orders', sql: 'SELECT * FROM c\nWHERE c.name = "it\'s"', partitionKey: '', limit: 100 }
const one = { ...all, sql: 'SELECT * FROM c', partitionKey: '["ana\'s ü", 12345678901234567890, true, null]' }

test.each(cosmosLanguages)('%s', async (language) => {
  const text = [all, one, { ...all, partitionKey: '["ana"]' }].map((query) => copyCosmosAs(language, query, at)).join('\n')
  await expect(text).toMatchFileSnapshot(`./testdata/${language.replace('.', '')}.txt`)
})

test('a partition key is an array of plain values', () => {
  for (const partitionKey of ['ana', '"ana"', '[{}]', '[["a"]]']) expect(() => copyCosmosAs('Go', { ...all, partitionKey }, at)).toThrow()
})

test('null as the key is a list in Python, where None is a query over all partitions', () => {
  expect(copyCosmosAs('Python', { ...all, partitionKey: '[null]' }, at)).toContain('partition_key=[None]')
})

test('a step that a feature file cannot hold is a comment', () => {
  expect(copyCosmosAs('Gherkin', { ...all, sql: 'SELECT """', partitionKey: '["a"]' }, at)).toMatch(/^# This query/)
  expect(copyCosmosAs('Gherkin', { ...all, partitionKey: '["a\\nb"]' }, at)).toMatch(/^# This query/)
})

test.each(cosmosLanguages.filter((l) => l !== 'Gherkin'))('no name, query or key can put code into %s', (language) => {
  const hostile = `"+ran()+"'; ran();$(ran())\n\`ran()\`\\`
  const text = copyCosmosAs(language, { database: hostile, container: hostile, sql: hostile, partitionKey: JSON.stringify([hostile]), limit: 5 }, { endpoint: hostile, key: hostile })
  const code = language === 'curl' ? text.replaceAll(`'\\''`, '').replace(/'[^']*'/g, '') : text.replace(/"(\\.|[^"\\\n])*"/g, '')
  expect(code).not.toContain('ran()')
})
