// The tracks of an album, kept with OneTable: a batch writes all of them.

import assert from 'node:assert/strict'
import test from 'node:test'

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Dynamo } from 'dynamodb-onetable/Dynamo'
import { Table } from 'dynamodb-onetable'

test('a batch writes all tracks', async () => {
  const table = new Table({
    name: 'music',
    client: new Dynamo({ client: new DynamoDBClient({}) }),
    partial: true,
    schema: {
      format: 'onetable:1.1.0',
      version: '0.0.1',
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Track: {
          pk: { type: String, value: 'album#${album}' },
          sk: { type: String, value: 'track#${number}' },
          album: { type: String, required: true },
          number: { type: Number, required: true },
        },
      },
    },
  })
  await table.createTable()
  const tracks = table.getModel('Track')
  const batch = {}
  for (const number of [1, 2, 3]) await tracks.create({ album: 'Blue', number }, { batch })
  await table.batchWrite(batch)
  assert.equal((await tracks.find({ album: 'Blue' }, { consistent: true })).length, 3)
})
