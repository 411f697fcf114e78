import { useState } from 'react'
import { call } from '../../api/dynamodb'
import type { Table } from '../../values/table'
import { Segments, TextField } from '../../widgets/Field'
import { ChangeDialog } from './ChangeDialog'
import { capacityForm, capacityInput, withBilling, type CapacityForm, type UnitFields } from './changes'

/** CapacityDialog changes the billing mode, and the capacity of a table and its global indexes. */
export function CapacityDialog({ table, onClose }: { table: Table; onClose: () => void }) {
  const [form, setForm] = useState(() => capacityForm(table))
  const input = capacityInput(table, form)
  const setIndex = (name: string, fields: UnitFields) => setForm({ ...form, indexes: { ...form.indexes, [name]: fields } })
  return (
    <ChangeDialog title="Change capacity" action="Change capacity" done={`The capacity of ${table.TableName} is changed`}
      disabled={!input} run={() => call('UpdateTable', input)} onClose={onClose}>
      <div><Segments<CapacityForm['billing']> label="Billing mode" value={form.billing} onChange={(billing) => setForm(withBilling(form, billing))} options={[
        { value: 'PAY_PER_REQUEST', label: 'On demand' }, { value: 'PROVISIONED', label: 'Provisioned' },
      ]} /></div>
      {form.billing === 'PAY_PER_REQUEST' && <p className="muted small">A maximum limits the request units per second. Empty: no limit.</p>}
      <UnitInputs of="the table" form={form} value={form.table} onChange={(fields) => setForm({ ...form, table: fields })} />
      {Object.entries(form.indexes).map(([name, fields]) => (
        <UnitInputs key={name} of={`index ${name}`} form={form} value={fields} onChange={(f) => setIndex(name, f)} />
      ))}
    </ChangeDialog>
  )
}

function UnitInputs({ of, form, value, onChange }: { of: string; form: CapacityForm; value: UnitFields; onChange: (value: UnitFields) => void }) {
  const [reads, writes] = form.billing === 'PROVISIONED' ? ['Read units', 'Write units'] : ['Maximum reads', 'Maximum writes']
  return (
    <div className="form-grid">
      <TextField label={`${reads} of ${of}`} type="number" min={1} value={value.reads} onChange={(reads) => onChange({ ...value, reads })} />
      <TextField label={`${writes} of ${of}`} type="number" min={1} value={value.writes} onChange={(writes) => onChange({ ...value, writes })} />
    </div>
  )
}
