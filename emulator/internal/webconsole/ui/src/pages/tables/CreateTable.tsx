import { useState } from 'react'
import { call } from '../../api/dynamodb'
import { useAttempt } from '../../api/useAttempt'
import { navigate, to } from '../../app/router'
import { streamViews } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check, Segments, Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { IndexFields, KeyFields } from './IndexFields'
import { createTableInput, newIndex, newTable, type IndexForm, type TableForm } from './tableForm'

/** CreateTable is the dialog for a new table. It opens the table's page when the table exists. */
export function CreateTable({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState(newTable)
  const { attempt, error, busy } = useAttempt(() => {
    onClose()
    navigate(to('dynamodb', 'tables', form.name))
  })
  const set = (change: Partial<TableForm>) => setForm((f) => ({ ...f, ...change }))
  const setIndex = (id: number, change: Partial<IndexForm>) =>
    set({ indexes: form.indexes.map((i) => (i.id === id ? { ...i, ...change } : i)) })
  const addIndex = (local: boolean) =>
    set({ indexes: [...form.indexes, newIndex(Math.max(0, ...form.indexes.map((i) => i.id)) + 1, local)] })

  return (
    <Dialog title="Create table" place="side" onClose={onClose} onSubmit={() => attempt(() => create(form))} footer={<>
      <Button onPress={onClose}>Cancel</Button>
      <Button type="submit" kind="primary" isDisabled={busy || !form.name || !form.partition.name}>Create table</Button>
    </>}>
      <TextField label="Table name" value={form.name} onChange={(name) => set({ name })} autoFocus />
      <div className="form-grid">
        <KeyFields label="Partition key" value={form.partition} onChange={(partition) => set({ partition })} />
        <KeyFields label="Sort key (optional)" value={form.sort} onChange={(sort) => set({ sort })} />
      </div>
      <div className="stack tight">
        <h3>Indexes</h3>
        {form.indexes.map((i) => (
          <IndexFields key={i.id} index={i} onChange={(change) => setIndex(i.id, change)}
            onRemove={() => set({ indexes: form.indexes.filter((other) => other.id !== i.id) })} />
        ))}
        <div className="row">
          <Button small icon="plus" onPress={() => addIndex(false)}>Global index</Button>
          <Button small icon="plus" onPress={() => addIndex(true)} isDisabled={!form.sort.name}>Local index</Button>
        </div>
      </div>
      <Capacity form={form} set={set} />
      <div className="form-grid">
        <TextField label="Time to live attribute (optional)" value={form.ttl} onChange={(ttl) => set({ ttl })}
          hint="Items expire at the second in this number" />
        <Select label="Stream" value={form.stream} onChange={(stream) => set({ stream })} options={streamViews} />
      </div>
      <Check checked={form.protect} onChange={(protect) => set({ protect })}>Deletion protection</Check>
      <ErrorMessage error={error} />
    </Dialog>
  )
}

function Capacity({ form, set }: { form: TableForm; set: (change: Partial<TableForm>) => void }) {
  return (
    <div className="stack tight">
      <h3>Capacity</h3>
      <div><Segments label="Billing mode" value={form.billing} onChange={(billing) => set({ billing })} options={[
        { value: 'PAY_PER_REQUEST', label: 'On demand' }, { value: 'PROVISIONED', label: 'Provisioned' },
      ]} /></div>
      {form.billing === 'PROVISIONED' && (
        <div className="form-grid">
          <TextField label="Read capacity units" type="number" min={1} value={form.reads} onChange={(reads) => set({ reads })} />
          <TextField label="Write capacity units" type="number" min={1} value={form.writes} onChange={(writes) => set({ writes })} />
        </div>
      )}
    </div>
  )
}

/** create makes the table, waits until it is active if it expires items, and enables time to live. */
async function create(form: TableForm) {
  await call('CreateTable', createTableInput(form))
  if (!form.ttl.trim()) return
  await active(form.name)
  await call('UpdateTimeToLive', {
    TableName: form.name, TimeToLiveSpecification: { Enabled: true, AttributeName: form.ttl.trim() },
  })
}

/** active waits for a table that takes time to create, as --like-cloud makes them. */
async function active(name: string) {
  for (;;) {
    const { output } = await call<{ Table: { TableStatus: string } }>('DescribeTable', { TableName: name })
    if (output.Table.TableStatus === 'ACTIVE') return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
