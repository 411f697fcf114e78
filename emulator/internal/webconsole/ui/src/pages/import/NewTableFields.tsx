import type { Preview } from '../../api/imports'
import { KeyFields } from '../tables/IndexFields'
import { newField, type KeyField, type KeyType } from '../tables/tableForm'
import { TextField } from '../../widgets/Field'

/** NewTableForm is a table that an import creates. Without the name of its sort key it has none. */
export interface NewTableForm { name: string; partition: KeyField; sort: KeyField }

/** The longest name of a table, in characters. */
const maxName = 255

/** proposal is the table that a file suggests: with the file's name, and the key that its first items suggest. */
export function proposal(fileName: string, found: Preview): NewTableForm {
  const field = (i: number) => {
    const a = found.key[i]
    return a ? { name: a.AttributeName, type: a.AttributeType as KeyType } : newField()
  }
  const name = fileName.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '').replace(/[^a-zA-Z0-9_.-]+/g, '-').slice(0, maxName)
  return { name, partition: field(0), sort: field(1) }
}

/** keyTexts are the attributes of the key as NAME:TYPE. */
export function keyTexts({ partition, sort }: NewTableForm): string[] {
  return [partition, sort].filter((f) => f.name).map((f) => `${f.name}:${f.type}`)
}

/** NewTableFields are the name and the key of the new table. */
export function NewTableFields({ table, onChange }: { table: NewTableForm; onChange: (table: NewTableForm) => void }) {
  return (
    <fieldset className="panel panel-body stack tight">
      <legend className="visually-hidden">New table</legend>
      <TextField label="Table name" value={table.name} onChange={(name) => onChange({ ...table, name })} />
      <div className="form-grid">
        <KeyFields label="Partition key" value={table.partition} onChange={(partition) => onChange({ ...table, partition })} />
        <KeyFields label="Sort key (optional)" value={table.sort} onChange={(sort) => onChange({ ...table, sort })} />
      </div>
      <p className="hint">The key is proposed from the first items. The table is on demand, and is created if it does not exist.</p>
    </fieldset>
  )
}
