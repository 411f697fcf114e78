import { itemOf, keyText, type ItemForm } from '../../forms/itemForm'
import { formOperations, isBatch, type FormOperation } from '../../forms/requestForm'
import { record } from '../../values/attribute'
import { keyNames, keyParts, type Table } from '../../values/table'
import { Conditions } from '../../widgets/Conditions'
import { Check, Select, TextField } from '../../widgets/Field'
import { Tree } from '../editor/Tree'
import { Actions } from './Actions'

interface Props { operation: FormOperation; form: ItemForm; table: Table; onChange: (change: Partial<ItemForm>) => void }

/** ItemFields are the key or item, the actions, the condition and what to return of one operation on one item. */
export function ItemFields({ operation, form, table, onChange }: Props) {
  const isRead = form.kind === 'Get'
  return (
    <>
      <datalist id="attribute-names">{table.AttributeDefinitions.map((d) => <option key={d.AttributeName} value={d.AttributeName} />)}</datalist>
      {form.kind === 'Put' ? (
        <Part title="Item"><Tree item={itemOf(form, table)} keys={keyNames(table.KeySchema)} onChange={(item) => onChange({ item })} onInvalid={() => undefined} /></Part>
      ) : <KeyFields form={form} table={table} onChange={onChange} />}
      {form.kind === 'Update' && <Part title="Actions"><Actions actions={form.actions} onChange={(actions) => onChange({ actions })} /></Part>}
      {!isRead && !isBatch(operation) && (
        <Part title="Condition">
          <Conditions noun="condition" conditions={form.conditions} match={form.match} onChange={(conditions) => onChange({ conditions })}
            onMatch={(match) => onChange({ match })} />
        </Part>
      )}
      {isRead && !isBatch(operation) && (
        <TextField label="Attributes to return" placeholder="All attributes" list="attribute-names" value={form.projection} mono
          onChange={(projection) => onChange({ projection })} />
      )}
      <Returns operation={operation} form={form} onChange={onChange} />
    </>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return <div className="stack tight" role="group" aria-label={title}><h3>{title}</h3>{children}</div>
}

function KeyFields({ form, table, onChange }: Omit<Props, 'operation'>) {
  return (
    <div className="builder-row">
      {keyParts(table).map((part) => (
        <TextField key={part.name} className="operand" label={`${part.name} (${part.type})`} value={keyText(form, part)} mono
          onChange={(text) => onChange({ key: record([...Object.entries(form.key), [part.name, text]]) })} />
      ))}
    </div>
  )
}

const returned = { Put: ['', 'ALL_OLD'], Delete: ['', 'ALL_OLD'], Update: ['', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] } as const
const returnedLabels = {
  '': 'Nothing', ALL_OLD: 'The old item', UPDATED_OLD: 'The old values of what changes', ALL_NEW: 'The new item', UPDATED_NEW: 'The new values of what changes',
}

/** Returns chooses what the answer has, as far as the operation can. */
function Returns({ operation, form, onChange }: Omit<Props, 'table'>) {
  if (form.kind === 'Get') {
    return operation === 'GetItem' && <div><Check checked={form.consistent} onChange={(consistent) => onChange({ consistent })}>Strongly consistent</Check></div>
  }
  if (isBatch(operation)) return null
  const one = formOperations[operation].most === 1 && form.kind !== 'ConditionCheck'
  return (
    <div className="builder-row">
      {one && <Select label="Return" value={form.returnValues} onChange={(returnValues) => onChange({ returnValues })}
        options={returned[form.kind as keyof typeof returned].map((value) => ({ value, label: returnedLabels[value] }))} />}
      <Check checked={form.returnOnFailure} onChange={(returnOnFailure) => onChange({ returnOnFailure })}>Return the item if the condition fails</Check>
    </div>
  )
}
