/** What the form of a new table holds, and the CreateTable that it stands for. */

export type KeyType = 'S' | 'N' | 'B'
export interface KeyField { name: string; type: KeyType }

export interface IndexForm {
  id: number
  name: string
  local: boolean
  /** Up to four attributes for each part of a global index's key; those without a name are not there. */
  partition: KeyField[]
  sort: KeyField[]
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

/** newField is an attribute of a key that is still to be named. */
export const newField = (): KeyField => ({ name: '', type: 'S' })

export function newTable(): TableForm {
  return {
    name: '', partition: newField(), sort: newField(), indexes: [],
    billing: 'PAY_PER_REQUEST', reads: '5', writes: '5', ttl: '', stream: '', protect: false,
  }
}

export function newIndex(id: number, local: boolean): IndexForm {
  return { id, name: '', local, partition: [newField()], sort: [newField()], projection: 'ALL', include: '' }
}

/** keyOf are the fields of a key that have a name. The first has none while the form is incomplete, which the service says. */
export function keyOf(partition: KeyField[], sort: KeyField[]): Key {
  return { partition: partition.filter((f, i) => i === 0 || f.name), sort: sort.filter((f) => f.name) }
}

export interface Key { partition: KeyField[]; sort: KeyField[] }

/** indexInput is an index with its key, as CreateTable and UpdateTable take it. */
export function indexInput(form: IndexForm, key: Key) {
  return {
    IndexName: form.name,
    KeySchema: keySchema(key),
    Projection: {
      ProjectionType: form.projection,
      ...(form.projection === 'INCLUDE' && { NonKeyAttributes: form.include.split(',').map((a) => a.trim()).filter(Boolean) }),
    },
  }
}

function keySchema({ partition, sort }: Key) {
  const element = (KeyType: 'HASH' | 'RANGE') => ({ name }: KeyField) => ({ AttributeName: name, KeyType })
  return [...partition.map(element('HASH')), ...sort.map(element('RANGE'))]
}

/** createTableInput is the request. Whether it is right is the service's decision. */
export function createTableInput(form: TableForm): Record<string, unknown> {
  const definitions = new Map<string, KeyType>()
  const throughput = form.billing === 'PROVISIONED' && {
    ProvisionedThroughput: { ReadCapacityUnits: Number(form.reads), WriteCapacityUnits: Number(form.writes) },
  }
  const define = (key: Key) => {
    for (const f of [...key.partition, ...key.sort]) if (!definitions.has(f.name)) definitions.set(f.name, f.type)
    return key
  }
  const schema = keySchema(define(keyOf([form.partition], [form.sort])))
  const index = (i: IndexForm) => ({
    ...indexInput(i, define(keyOf(i.local ? [form.partition] : i.partition, i.sort))), ...(!i.local && throughput),
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
