// The orders of the customers of a shop, and what a customer has spent.

import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}))

export async function createTable() {
  await db.send(new CreateTableCommand({
    TableName: 'orders',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'customer', AttributeType: 'S' },
      { AttributeName: 'number', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'customer', KeyType: 'HASH' },
      { AttributeName: 'number', KeyType: 'RANGE' },
    ],
  }))
}

export async function order(customer, number, price) {
  await db.send(new PutCommand({ TableName: 'orders', Item: { customer, number, price } }))
}

/** Returns the sum of the prices of all orders of a customer. */
export async function spent(customer) {
  const { Items } = await db.send(new QueryCommand({
    TableName: 'orders',
    KeyConditionExpression: 'customer = :customer',
    ExpressionAttributeValues: { ':customer': customer },
    ConsistentRead: true,
  }))
  return Items.reduce((sum, { price }) => sum + price, 0)
}
