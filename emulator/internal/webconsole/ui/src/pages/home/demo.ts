/** The demo data: customers and their orders, as a single-table design in DynamoDB and as items of a Cosmos DB container. */
import type { Item } from '../../values/attribute'

export const demoTable = 'demo-shop'
export const demoDatabase = 'demo'
export const demoContainer = 'orders'

interface Line { sku: string; quantity: number; price: string }
interface Order { id: string; customer: string; placed: string; state: string; total: string; lines: Line[] }

const customers = [
  { id: 'ana', name: 'Ana Silva', city: 'Lisbon', email: 'ana@example.com' },
  { id: 'ben', name: 'Ben Okafor', city: 'Lagos', email: 'ben@example.com' },
  { id: 'chen', name: 'Chen Wei', city: 'Taipei', email: 'chen@example.com' },
  { id: 'dana', name: 'Dana Novak', city: 'Prague', email: 'dana@example.com' },
]

const products = [
  { sku: 'tea', cents: 650 }, { sku: 'coffee', cents: 1290 }, { sku: 'mug', cents: 900 }, { sku: 'kettle', cents: 4500 },
]

const states = ['OPEN', 'PAID', 'SHIPPED', 'DELIVERED']

/** demoOrders are twelve orders, three of each customer, with one or two lines each. */
export function demoOrders(): Order[] {
  return Array.from({ length: 12 }, (_, i) => {
    const lines = products.filter((_, p) => p === i % 4 || (i % 3 !== 2 && p === (i + 1) % 4))
      .map((p, n) => ({ sku: p.sku, quantity: 1 + ((i + n) % 3), cents: p.cents }))
    return {
      id: String(1001 + i), customer: customers[i % 4]!.id, placed: `2026-03-${String(1 + i * 2).padStart(2, '0')}T09:30:00Z`,
      state: states[Math.floor(i / 3)]!, total: price(lines.reduce((sum, l) => sum + l.quantity * l.cents, 0)),
      lines: lines.map((l) => ({ sku: l.sku, quantity: l.quantity, price: price(l.cents) })),
    }
  })
}

function price(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** createTableInput has one index, in which orders are found by their state and date, and customers by their city. */
export const createTableInput = {
  TableName: demoTable, BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [{
    IndexName: 'gsi1', Projection: { ProjectionType: 'ALL' },
    KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
  }],
}

/** demoItems are the customers, their orders under the same partition key, and the lines of each order. */
export function demoItems(): Item[] {
  const key = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { S: sk } })
  const index = (pk: string, sk: string): Item => ({ gsi1pk: { S: pk }, gsi1sk: { S: sk } })
  const people = customers.map((c): Item => ({
    ...key(`CUSTOMER#${c.id}`, 'PROFILE'), ...index(`CITY#${c.city}`, `CUSTOMER#${c.id}`), type: { S: 'customer' },
    name: { S: c.name }, email: { S: c.email }, interests: { SS: products.slice(0, 2).map((p) => p.sku) },
  }))
  const orders = demoOrders().flatMap((o): Item[] => [
    {
      ...key(`CUSTOMER#${o.customer}`, `ORDER#${o.id}`), ...index(`STATE#${o.state}`, o.placed), type: { S: 'order' },
      placed: { S: o.placed }, state: { S: o.state }, total: { N: o.total },
    },
    ...o.lines.map((l, n): Item => ({
      ...key(`ORDER#${o.id}`, `LINE#${n + 1}`), ...index(`PRODUCT#${l.sku}`, `ORDER#${o.id}`), type: { S: 'line' },
      quantity: { N: String(l.quantity) }, price: { N: l.price },
    })),
  ])
  const stock = products.map((p, i): Item => ({
    ...key(`PRODUCT#${p.sku}`, 'PRODUCT'), type: { S: 'product' }, price: { N: price(p.cents) },
    stock: { M: { warehouse: { S: 'LIS' }, count: { N: String(40 - 7 * i) } } },
  }))
  return [...people, ...orders, ...stock]
}

/** Demo is which parts of the demo data are meant. */
export interface Demo { table: boolean; container: boolean }

/** missingDemo are the parts that do not exist, by the names of all tables and the paths of all containers. Without Cosmos DB there are no paths. */
export function missingDemo(tables: string[], containers: string[] | undefined): Demo {
  return { table: !tables.includes(demoTable), container: containers !== undefined && !containers.includes(`${demoDatabase}/${demoContainer}`) }
}
