/** What the dialogs of the schema hold, and the requests that they stand for. */
import type { Tag } from '../../api/dynamodb'
import { isOnDemand, type MaximumUnits, type Table, type Units } from '../../values/table'
import { indexInput, keyOf, type IndexForm } from '../tables/tableForm'

/** UnitFields are the capacity units of a provisioned table or index, or the maximum of one on demand: '' is no limit. */
export interface UnitFields { reads: string; writes: string }

export interface CapacityForm {
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED'
  table: UnitFields
  indexes: Record<string, UnitFields>
}

export function capacityForm(table: Table): CapacityForm {
  const fields = (of: { ProvisionedThroughput?: Units; OnDemandThroughput?: MaximumUnits }): UnitFields => {
    const { ProvisionedThroughput: p, OnDemandThroughput: o } = of
    if (!isOnDemand(table)) return { reads: String(p?.ReadCapacityUnits ?? ''), writes: String(p?.WriteCapacityUnits ?? '') }
    return { reads: limit(o?.MaxReadRequestUnits), writes: limit(o?.MaxWriteRequestUnits) }
  }
  return {
    billing: isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    table: fields(table),
    indexes: Object.fromEntries((table.GlobalSecondaryIndexes ?? []).map((i) => [i.IndexName, fields(i)])),
  }
}

function limit(units: number | undefined): string {
  return units && units > 0 ? String(units) : ''
}

/** withBilling is the form after another billing mode is chosen: units do not carry over. */
export function withBilling(form: CapacityForm, billing: CapacityForm['billing']): CapacityForm {
  const fields = billing === 'PROVISIONED' ? { reads: '5', writes: '5' } : { reads: '', writes: '' }
  return { billing, table: fields, indexes: Object.fromEntries(Object.keys(form.indexes).map((name) => [name, fields])) }
}

/**
 * capacityInput is an UpdateTable with what differs from the table, because the service refuses values that a table has
 * already; undefined if nothing differs.
 */
export function capacityInput(table: Table, form: CapacityForm): Record<string, unknown> | undefined {
  const was = capacityForm(table)
  const moved = was.billing !== form.billing
  const differs = (a: UnitFields, b: UnitFields | undefined) => {
    if (moved) return form.billing === 'PROVISIONED' || a.reads !== '' || a.writes !== ''
    return a.reads !== b?.reads || a.writes !== b.writes
  }
  const updates = Object.entries(form.indexes).filter(([name, f]) => differs(f, was.indexes[name]))
    .map(([IndexName, f]) => ({ Update: { IndexName, ...throughput(form.billing, f) } }))
  const own = differs(form.table, was.table)
  if (!moved && !own && updates.length === 0) return undefined
  return {
    TableName: table.TableName,
    ...(moved && { BillingMode: form.billing }),
    ...(own && throughput(form.billing, form.table)),
    ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
  }
}

function throughput(billing: CapacityForm['billing'], { reads, writes }: UnitFields) {
  if (billing === 'PROVISIONED') {
    return { ProvisionedThroughput: { ReadCapacityUnits: Number(reads), WriteCapacityUnits: Number(writes) } }
  }
  const maximum = (text: string) => (text.trim() ? Number(text) : -1)
  return { OnDemandThroughput: { MaxReadRequestUnits: maximum(reads), MaxWriteRequestUnits: maximum(writes) } }
}

/** addIndexInput is an UpdateTable that creates a global index. */
export function addIndexInput(table: Table, form: IndexForm, units: UnitFields): Record<string, unknown> {
  const key = keyOf(form.partition, form.sort)
  const fields = [...key.partition, ...key.sort]
  const added = fields.filter((f, i) => !table.AttributeDefinitions.some((d) => d.AttributeName === f.name)
    && fields.findIndex((other) => other.name === f.name) === i)
  return {
    TableName: table.TableName,
    AttributeDefinitions: [...table.AttributeDefinitions, ...added.map((f) => ({ AttributeName: f.name, AttributeType: f.type }))],
    GlobalSecondaryIndexUpdates: [{
      Create: { ...indexInput(form, key), ...(!isOnDemand(table) && throughput('PROVISIONED', units)) },
    }],
  }
}

/** tagChanges are the tags to set and the keys of those to remove. */
export function tagChanges(was: Tag[], now: Tag[]): { set: Tag[]; remove: string[] } {
  return {
    set: now.filter((t) => !was.some((w) => w.Key === t.Key && w.Value === t.Value)),
    remove: was.filter((w) => !now.some((t) => t.Key === w.Key)).map((w) => w.Key),
  }
}
