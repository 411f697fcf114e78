import { expect, test } from 'vitest'
import type { Table } from '../values/table'
import { exportSchema, formats, type Format } from './export'
import { identifier, type Schema } from './schema'
import { quote, yaml } from './yaml'

const at = { endpoint: 'http://127.0.0.1:8000', region: 'us-east-1', accessKeyId: 'tabletop', secretAccessKey: 'tabletop' }

const described: Pick<Table, 'TableArn' | 'TableStatus' | 'ItemCount' | 'TableSizeBytes' | 'CreationDateTime'> = {
  TableArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/shop', TableStatus: 'ACTIVE', ItemCount: 0, TableSizeBytes: 0, CreationDateTime: 0,
}

// Every setting that a provisioned table can have, and names that need quotes.
const provisioned: Schema = {
  table: {
    ...described, TableName: 'shop.orders-2',
    KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'placed', KeyType: 'RANGE' }],
    AttributeDefinitions: [{ AttributeName: 'amount', AttributeType: 'N' }, { AttributeName: 'customer', AttributeType: 'S' },
      { AttributeName: 'no', AttributeType: 'B' }, { AttributeName: 'old', AttributeType: 'N' }, { AttributeName: 'placed', AttributeType: 'N' }],
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
    GlobalSecondaryIndexes: [
      { IndexName: 'gone', IndexStatus: 'DELETING', KeySchema: [{ AttributeName: 'old', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } },
      { IndexName: 'by-number', IndexStatus: 'ACTIVE', KeySchema: [{ AttributeName: 'no', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total', "it's ${x} \"1\""] },
        ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 3 } },
    ],
    LocalSecondaryIndexes: [{ IndexName: 'by-amount', Projection: { ProjectionType: 'KEYS_ONLY' },
      KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'amount', KeyType: 'RANGE' }] }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    DeletionProtectionEnabled: true, TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    SSEDescription: { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab' },
  },
  ttl: 'expires', recoveryDays: 7,
  tags: [{ Key: 'aws:owner', Value: 'x' }, { Key: 'cost centre', Value: '7' }, { Key: 'team', Value: 'Shop: Süd' }],
}

// A table on demand with a maximum of its own, and an index with several attributes of a kind.
const onDemand: Schema = {
  table: {
    ...described, TableName: 'places', KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: ['city', 'country', 'id', 'street'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' }, ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    OnDemandThroughput: { MaxReadRequestUnits: 1000, MaxWriteRequestUnits: -1 },
    GlobalSecondaryIndexes: [{ IndexName: 'by-place', IndexStatus: 'ACTIVE', Projection: { ProjectionType: 'ALL' },
      KeySchema: [{ AttributeName: 'country', KeyType: 'HASH' }, { AttributeName: 'city', KeyType: 'HASH' }, { AttributeName: 'street', KeyType: 'RANGE' }],
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 } }],
  },
  ttl: '', recoveryDays: 0, tags: [],
}

// A test of internal/model/tablefile reads the snapshots of tables.yaml back.
const endings: Record<Format, string> = { 'tables.yaml': 'tables.yaml', CloudFormation: 'template.yaml', Terraform: 'tf', CDK: 'stack.txt', 'AWS CLI': 'sh' }

test.each(formats)('%s', async (format) => {
  await expect(exportSchema(format, provisioned, at)).toMatchFileSnapshot(`./testdata/provisioned.${endings[format]}`)
  await expect(exportSchema(format, onDemand, at)).toMatchFileSnapshot(`./testdata/ondemand.${endings[format]}`)
})

test('names that YAML would read as something else are in quotes', () => {
  expect(yaml({ a: ['yes', '7', 'a b', '', 'x'], 'No': 1, b: { c: true }, d: undefined }))
    .toBe('a: ["yes", "7", "a b", "", x]\n"No": 1\nb:\n  c: true\n')
  expect(quote('a\u0085\n"')).toBe('"a\\u0085\\n\\""')
})

test('names of resources are letters and digits', () => {
  expect(['shop.orders-2', '2nd', '...'].map(identifier)).toEqual(['ShopOrders2', 'Table2nd', 'Table'])
})
