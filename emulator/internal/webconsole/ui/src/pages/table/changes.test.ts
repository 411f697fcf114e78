import { expect, test } from 'vitest'
import type { Table } from '../../values/table'
import { newIndex } from '../tables/tableForm'
import { addIndexInput, capacityForm, capacityInput, tagChanges, withBilling } from './changes'

const onDemand: Table = {
  TableName: 't', TableArn: '', TableStatus: 'ACTIVE', KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }, { AttributeName: 'n', AttributeType: 'N' }],
  ItemCount: 0, TableSizeBytes: 0, CreationDateTime: 0, BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: -1 },
  GlobalSecondaryIndexes: [{ IndexName: 'i', KeySchema: [{ AttributeName: 'n', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }],
}
const { BillingModeSummary: _, OnDemandThroughput: __, ...rest } = onDemand
const provisioned: Table = {
  ...rest, ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
  GlobalSecondaryIndexes: [{ ...rest.GlobalSecondaryIndexes![0]!, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } }],
}

test('a form that is not changed is no request', () => {
  expect(capacityInput(onDemand, capacityForm(onDemand))).toBeUndefined()
  expect(capacityInput(provisioned, capacityForm(provisioned))).toBeUndefined()
})

test('only what differs is sent', () => {
  const form = capacityForm(provisioned)
  expect(capacityInput(provisioned, { ...form, indexes: { i: { reads: '9', writes: '2' } } })).toEqual({
    TableName: 't', GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'i', ProvisionedThroughput: { ReadCapacityUnits: 9, WriteCapacityUnits: 2 } } }],
  })
  expect(capacityInput(onDemand, { ...capacityForm(onDemand), table: { reads: '', writes: '7' } })).toEqual({
    TableName: 't', OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: 7 },
  })
})

test('another billing mode is sent with the units of everything', () => {
  const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
  expect(capacityInput(onDemand, withBilling(capacityForm(onDemand), 'PROVISIONED'))).toEqual({
    TableName: 't', BillingMode: 'PROVISIONED', ProvisionedThroughput: units,
    GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'i', ProvisionedThroughput: units } }],
  })
  expect(capacityInput(provisioned, withBilling(capacityForm(provisioned), 'PAY_PER_REQUEST')))
    .toEqual({ TableName: 't', BillingMode: 'PAY_PER_REQUEST' })
})

test('a new index defines only the attributes that are new', () => {
  const form = { ...newIndex(1, false), name: 'j', partition: [{ name: 'n', type: 'N' as const }], sort: [{ name: 'at', type: 'S' as const }] }
  expect(addIndexInput(provisioned, form, { reads: '3', writes: '4' })).toEqual({
    TableName: 't', AttributeDefinitions: [...provisioned.AttributeDefinitions, { AttributeName: 'at', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create: {
      IndexName: 'j', KeySchema: [{ AttributeName: 'n', KeyType: 'HASH' }, { AttributeName: 'at', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'ALL' }, ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
    } }],
  })
})

test('a key of several attributes keeps their order, without those that have no name', () => {
  const field = (name: string) => ({ name, type: 'S' as const })
  const form = { ...newIndex(1, false), name: 'j', partition: [field('tenant'), field('region'), field('')], sort: [field('day'), field('tenant')] }
  const input = addIndexInput(onDemand, form, { reads: '', writes: '' })
  expect(input.GlobalSecondaryIndexUpdates).toEqual([{ Create: expect.objectContaining({ KeySchema: [
    { AttributeName: 'tenant', KeyType: 'HASH' }, { AttributeName: 'region', KeyType: 'HASH' },
    { AttributeName: 'day', KeyType: 'RANGE' }, { AttributeName: 'tenant', KeyType: 'RANGE' },
  ] }) as unknown }])
  expect(input.AttributeDefinitions).toEqual([
    ...onDemand.AttributeDefinitions, ...['tenant', 'region', 'day'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  ])
})

test('tags are set and removed', () => {
  const was = [{ Key: 'a', Value: '1' }, { Key: 'b', Value: '2' }, { Key: 'c', Value: '3' }]
  expect(tagChanges(was, [{ Key: 'a', Value: '1' }, { Key: 'b', Value: 'x' }, { Key: 'd', Value: '' }]))
    .toEqual({ set: [{ Key: 'b', Value: 'x' }, { Key: 'd', Value: '' }], remove: ['c'] })
})
