import { useState } from 'react'
import { call } from '../../api/dynamodb'
import { isOnDemand, type Table } from '../../values/table'
import { TextField } from '../../widgets/Field'
import { IndexFields } from '../tables/IndexFields'
import { newIndex, type IndexForm, type KeyField } from '../tables/tableForm'
import { ChangeDialog } from './ChangeDialog'
import { addIndexInput } from './changes'

/** AddIndex creates a global index, which the service then fills in the background. */
export function AddIndex({ table, onClose }: { table: Table; onClose: () => void }) {
  const [form, setForm] = useState(() => newIndex(1, false))
  const [units, setUnits] = useState({ reads: '5', writes: '5' })
  // An attribute that is in a key already has a type, which an index cannot change.
  const typed = (field: KeyField): KeyField => {
    const known = table.AttributeDefinitions.find((d) => d.AttributeName === field.name)
    return known ? { ...field, type: known.AttributeType } : field
  }
  const set = (change: Partial<IndexForm>) => setForm((was) => {
    const next = { ...was, ...change }
    return { ...next, partition: next.partition.map(typed), sort: next.sort.map(typed) }
  })
  return (
    <ChangeDialog title="Create global index" action="Create index" done={`Index ${form.name} is being created`} onClose={onClose}
      disabled={!form.name || !form.partition[0]?.name} run={() => call('UpdateTable', addIndexInput(table, form, units))}>
      <IndexFields index={form} onChange={set} />
      {!isOnDemand(table) && (
        <div className="form-grid">
          <TextField label="Read capacity units" type="number" min={1} value={units.reads} onChange={(reads) => setUnits({ ...units, reads })} />
          <TextField label="Write capacity units" type="number" min={1} value={units.writes} onChange={(writes) => setUnits({ ...units, writes })} />
        </div>
      )}
    </ChangeDialog>
  )
}

export function DeleteIndex({ table, index, onClose }: { table: Table; index: string; onClose: () => void }) {
  const input = { TableName: table.TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: index } }] }
  return (
    <ChangeDialog title="Delete index" action="Delete index" done={`Index ${index} is being deleted`} danger onClose={onClose}
      run={() => call('UpdateTable', input)}>
      <p>Index <strong className="break">{index}</strong> is deleted. The items of the table stay.</p>
    </ChangeDialog>
  )
}
