import { path, request } from '../../api/cosmos'
import { call } from '../../api/dynamodb'
import { Problem } from '../../api/http'
import { writeAll } from '../../api/writeAll'
import { createTableInput, demoContainer, demoDatabase, demoItems, demoOrders, demoTable } from './demo'

/** createDemoTable creates the table and writes its items, as any client would. Errors: Problem. */
export async function createDemoTable() {
  await call('CreateTable', createTableInput)
  while ((await call<{ Table: { TableStatus: string } }>('DescribeTable', { TableName: demoTable })).output.Table.TableStatus !== 'ACTIVE') {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await writeAll(demoTable, demoItems().map((Item) => ({ PutRequest: { Item } })))
}

/** createDemoContainer makes a database with a container, unless they exist, and writes the orders to it. Errors: Problem. */
export async function createDemoContainer() {
  await createMissing('/dbs', { id: demoDatabase })
  await createMissing(path('dbs', demoDatabase, 'colls'),
    { id: demoContainer, partitionKey: { paths: ['/customer'], kind: 'Hash', version: 2 } })
  for (const order of demoOrders()) {
    // The text of a price is a JSON number as it is, so that 6.50 is written as it reads.
    const body = JSON.stringify(order).replace(/"(total|price)":"([0-9.]+)"/g, '"$1":$2')
    await request('POST', path('dbs', demoDatabase, 'colls', demoContainer, 'docs'),
      { 'x-ms-documentdb-partitionkey': JSON.stringify([order.customer]), 'x-ms-documentdb-is-upsert': 'True' }, body)
  }
}

async function createMissing(feed: string, resource: { id: string; partitionKey?: object }) {
  try {
    await request('POST', feed, {}, JSON.stringify(resource))
  } catch (error) {
    if (!(error instanceof Problem && error.status === 409)) throw error
  }
}
