import assert from 'node:assert/strict'
import test from 'node:test'

import { createTable, order, spent } from './orders.js'

test('a customer has spent the sum of all orders', async () => {
  await createTable()
  await order('ana', 1, 20)
  await order('ana', 2, 5)
  await order('bob', 1, 100)
  assert.equal(await spent('ana'), 25)
})
