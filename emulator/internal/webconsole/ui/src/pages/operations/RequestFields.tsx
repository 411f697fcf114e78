import { useState } from 'react'
import type { Reason } from '../../forms/answers'
import { newItemForm, summary, type ItemForm } from '../../forms/itemForm'
import { formOperations, readsOf, rowsOf, type FormOperation, type RequestForm } from '../../forms/requestForm'
import { record } from '../../values/attribute'
import type { Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Check, Select, TextField } from '../../widgets/Field'
import { ItemFields } from './ItemFields'

interface Props {
  operation: FormOperation
  form: RequestForm
  /** The table of rows without one. */
  chosen: string
  names: string[]
  tables: ReadonlyMap<string, Table>
  /** Why a transaction was cancelled, by the id of the row that it concerns. */
  reasons: ReadonlyMap<number, Reason>
  onChange: (form: RequestForm) => void
}

/** RequestFields are the form of an operation: one item, or a list of which one is open at a time. */
export function RequestFields({ operation, form, chosen, names, tables, reasons, onChange }: Props) {
  const { most } = formOperations[operation]
  const rows = rowsOf(operation, form, chosen)
  const [open, setOpen] = useState(rows[0]!.id)
  const set = (id: number) => (change: Partial<ItemForm>) => onChange({ ...form, rows: form.rows.map((r) => (r.id === id ? { ...r, ...change } : r)) })
  const add = () => {
    const last = form.rows.at(-1)!
    const row = { ...newItemForm(Math.max(...form.rows.map((r) => r.id)) + 1, last.kind), table: last.table }
    onChange({ ...form, rows: [...form.rows, row] })
    setOpen(row.id)
  }
  const first = tables.get(rows[0]!.table)
  return (
    <div className="stack">
      {most === 1 ? first && <ItemFields operation={operation} form={rows[0]!} table={first} onChange={set(rows[0]!.id)} /> : (
        <ol className="operation-rows" aria-label="Items">
          {rows.map((row, i) => (
            <Row key={row.id} {...{ operation, row, names, tables }} number={i + 1} isOpen={row.id === open} reason={reasons.get(row.id)}
              onOpen={() => setOpen(row.id === open ? 0 : row.id)} onChange={set(row.id)}
              {...(rows.length > 1 && { onRemove: () => onChange({ ...form, rows: form.rows.filter((r) => r.id !== row.id) }) })} />
          ))}
        </ol>
      )}
      {most > 1 && <div className="row"><Button icon="plus" onPress={add} isDisabled={rows.length >= most}>Item</Button><span className="muted small">{rows.length} of {most}</span></div>}
      {operation === 'BatchGetItem' && [...new Set(rows.map((r) => r.table))].map((name) => <ReadFields key={name} {...{ name, form, onChange }} />)}
      <div className="builder-row">
        {operation === 'TransactWriteItems' && (
          <TextField className="operand" label="Client request token (optional)" value={form.token} mono onChange={(token) => onChange({ ...form, token })} />
        )}
        <Select label="Return consumed capacity" value={form.capacity} onChange={(capacity) => onChange({ ...form, capacity })} options={[
          { value: 'NONE', label: 'No' }, { value: 'TOTAL', label: 'In total' }, { value: 'INDEXES', label: 'By table and index' },
        ]} />
      </div>
    </div>
  )
}

function ReadFields({ name, form, onChange }: { name: string; form: RequestForm; onChange: (form: RequestForm) => void }) {
  const reads = readsOf(form, name)
  const set = (change: Partial<typeof reads>) => onChange({ ...form, reads: record([...Object.entries(form.reads), [name, { ...reads, ...change }]]) })
  return (
    <div className="builder-row">
      <TextField className="operand" label={`Attributes to return from ${name}`} placeholder="All attributes" value={reads.projection} mono
        onChange={(projection) => set({ projection })} />
      <Check checked={reads.consistent} onChange={(consistent) => set({ consistent })}>Read {name} strongly consistently</Check>
    </div>
  )
}

const kindNames = { Get: 'Get', Put: 'Put', Update: 'Update', Delete: 'Delete', ConditionCheck: 'Condition check' }

function Row({ operation, row, number, names, tables, isOpen, reason, onOpen, onChange, onRemove }: {
  operation: FormOperation; row: ItemForm; number: number; names: string[]; tables: ReadonlyMap<string, Table>; isOpen: boolean
  reason: Reason | undefined; onOpen: () => void; onChange: (change: Partial<ItemForm>) => void; onRemove?: () => void
}) {
  const { kinds } = formOperations[operation]
  const table = tables.get(row.table)
  return (
    <li>
      <div className="row" style={{ flexWrap: 'nowrap' }}>
        <button type="button" className="key-button grow clip" aria-expanded={isOpen} onClick={onOpen}>
          {number}. {kindNames[row.kind]} <bdi>{row.table}</bdi>{table && <> · <bdi>{summary(row, table)}</bdi></>}
        </button>
        {reason && <span className={reason.Code === 'None' ? 'badge' : 'badge bad'}>{reason.Code === 'None' ? 'Not the cause' : reason.Code}</span>}
        {onRemove && <Button small kind="quiet" icon="trash" aria-label={`Remove item ${number}`} onPress={onRemove} />}
      </div>
      {reason?.Message && <p className="error-text">{reason.Message}</p>}
      {isOpen && (
        <div className="stack operation-row">
          <div className="builder-row">
            {kinds.length > 1 && <Select label="Kind" value={row.kind} options={kinds.map((value) => ({ value, label: kindNames[value] }))} onChange={(kind) => onChange({ kind })} />}
            <Select label={`Table of item ${number}`} value={row.table} options={[...new Set([...names, row.table])]} onChange={(name) => onChange({ table: name })} />
          </div>
          {table && <ItemFields operation={operation} form={row} table={table} onChange={onChange} />}
        </div>
      )}
    </li>
  )
}
