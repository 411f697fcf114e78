import { expect, test } from 'vitest'
import { ruleOf, type Fields } from './rule'

test('empty fields are left out, and what is no number stays as it is', () => {
  const fields: Fields = {
    name: ' ', operations: 'PutItem, Batch*', tables: '', partitionKey: '7', sortKey: '', identities: '', latency: '20ms', latencyP99: '', probability: '0.5',
    skip: 'many', every: '2', times: '', for: '10m', fraction: '',
  }
  expect(ruleOf(fields)).toEqual({ operations: ['PutItem', 'Batch*'], partitionKey: '7', latency: '20ms', probability: 0.5, skip: 'many', every: 2, for: '10m' })
})
