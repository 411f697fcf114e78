// A counter that numbers tickets: the first three tickets have the numbers 1, 2 and 3.

import assert from 'node:assert/strict'
import test from 'node:test'

import AWS from 'aws-sdk'
import counter from 'dynamodb-atomic-counter'

const settings = { endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB, region: process.env.AWS_REGION }

test('tickets are numbered from 1', async () => {
  await new AWS.DynamoDB(settings).createTable({
    TableName: 'AtomicCounters',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }).promise()
  counter.config.update(settings)
  for (const number of [1, 2, 3]) assert.equal(await counter.increment('tickets'), number)
})
