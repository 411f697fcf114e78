/** What the form of a new table holds, and the CreateTable that it stands for. */

export type KeyType = 'S' | 'N' | 'B'
export interface KeyField { name: string; type: KeyType }

export interface IndexForm {
  id: number
  name: string
  local: boolean
  partition: KeyField
  sort: KeyField
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  include: string
}

export interface TableForm {
  name: string
  partition: KeyField
  sort: KeyField
  indexes: IndexForm[]
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED'
  reads: string
  writes: string
  ttl: string
  stream: '' | 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'KEYS_ONLY'
  protect: boolean
}

export function newTable(): TableForm {
  return {
    name: '', partition: { name: '', type: 'S' }, sort: { name: '', type: 'S' }, indexes: [],
    billing: 'PAY_PER_REQUEST', reads: '5', writes: '5', ttl: '', stream: '', protect: false,
  }
}

export function newIndex(id: number, local: boolean): IndexForm {
  return { id, name: '', local, partition: { name: '', type: 'S' }, sort: { name: '', type: 'S' }, projection: 'ALL', include: '' }
}

/** given leaves out the optional fields, all but the first, that have no name. */
export const given = (fields: KeyField[]) => fields.filter((f, i) => i === 0 || f.name)

/** indexInput is an index with its key, as CreateTable and UpdateTable take it. */
export function indexInput(form: IndexForm, key: KeyField[]) {
  return {
    IndexName: form.name,
    KeySchema: keySchema(key),
    Projection: {
      ProjectionType: form.projection,
      ...(form.projection === 'INCLUDE' && { NonKeyAttributes: form.include.split(',').map((a) => a.trim()).filter(Boolean) }),
    },
  }
}

function keySchema(fields: KeyField[]) {
  return given(fields).map((f, i) => ({ AttributeName: f.name, KeyType: i === 0 ? 'HASH' : 'RANGE' }))
}

/** createTableInput is the request. Whether it is right is the service's decision. */
export function createTableInput(form: TableForm): Record<string, unknown> {
  const definitions = new Map<string, KeyType>()
  const throughput = form.billing === 'PROVISIONED' && {
    ProvisionedThroughput: { ReadCapacityUnits: Number(form.reads), WriteCapacityUnits: Number(form.writes) },
  }
  const define = (...fields: KeyField[]) => {
    for (const f of given(fields)) if (!definitions.has(f.name)) definitions.set(f.name, f.type)
    return fields
  }
  const schema = keySchema(define(form.partition, form.sort))
  const index = (i: IndexForm) => ({
    ...indexInput(i, define(i.local ? form.partition : i.partition, i.sort)), ...(!i.local && throughput),
  })
  const globals = form.indexes.filter((i) => !i.local).map(index)
  const locals = form.indexes.filter((i) => i.local).map(index)
  return {
    TableName: form.name,
    KeySchema: schema,
    AttributeDefinitions: [...definitions].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: form.billing,
    ...throughput,
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals }),
    ...(locals.length > 0 && { LocalSecondaryIndexes: locals }),
    ...(form.stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: form.stream } }),
    ...(form.protect && { DeletionProtectionEnabled: true }),
  }
}
