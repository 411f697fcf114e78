import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { newField, type IndexForm, type KeyField, type KeyType } from './tableForm'

const keyTypes: { value: KeyType; label: string }[] = [
  { value: 'S', label: 'String' }, { value: 'N', label: 'Number' }, { value: 'B', label: 'Binary' },
]

export function KeyFields({ label, value, onChange, error = '', disabledType = false, onBlur }: {
  label: string; value: KeyField; onChange: (value: KeyField) => void; error?: string; disabledType?: boolean; onBlur?: () => void
}) {
  // A draft may have another type, which is an error.
  const types = keyTypes.some((t) => t.value === value.type) ? keyTypes : [...keyTypes, { value: value.type, label: value.type }]
  return (
    <div className="row top key-fields" style={{ flexWrap: 'nowrap' }}>
      <TextField className="grow" label={label} value={value.name} error={error} onBlur={onBlur} onChange={(name) => onChange({ ...value, name })} />
      <Select label={`Type of ${label.replace(/ \(.*/, '').toLowerCase()}`} hideLabel value={value.type} options={types} disabled={disabledType}
        onChange={(type) => onChange({ ...value, type })} />
    </div>
  )
}

/** The most attributes of each part of a global index's key (developer guide, "Multi-attribute keys"). */
const mostFields = 4

/** KeyPart holds the attributes of one part of an index's key, with a button for one more. */
function KeyPart({ label, fields, most, isOptional, onChange }: {
  label: string; fields: KeyField[]; most: number; isOptional: boolean; onChange: (fields: KeyField[]) => void
}) {
  const name = (i: number) => (i > 0 ? `${label}, attribute ${i + 1} (optional)` : isOptional ? `${label} (optional)` : label)
  return (
    <div className="stack tight">
      {fields.map((f, i) => (
        <KeyFields key={i} label={name(i)} value={f} onChange={(next) => onChange(fields.map((old, j) => (j === i ? next : old)))} />
      ))}
      {fields.length < most && fields.at(-1)!.name !== '' && (
        <div><Button small icon="plus" aria-label={`Add an attribute to the ${label.toLowerCase()}`} onPress={() => onChange([...fields, newField()])}>Attribute</Button></div>
      )}
    </div>
  )
}

export function IndexFields({ index, onChange, onRemove }: {
  index: IndexForm; onChange: (change: Partial<IndexForm>) => void; onRemove?: () => void
}) {
  return (
    <fieldset className="panel panel-body stack tight">
      <legend className="visually-hidden">{index.local ? 'Local' : 'Global'} index {index.name}</legend>
      <div className="row top">
        <TextField className="grow" label={index.local ? 'Name of the local index' : 'Name of the global index'} value={index.name}
          onChange={(name) => onChange({ name })} autoFocus />
        {onRemove && <Button kind="quiet" icon="trash" aria-label="Remove this index" onPress={onRemove} />}
      </div>
      <div className="form-grid">
        {!index.local && (
          <KeyPart label="Partition key of the index" fields={index.partition} most={mostFields} isOptional={false} onChange={(partition) => onChange({ partition })} />
        )}
        <KeyPart label="Sort key of the index" fields={index.sort} most={index.local ? 1 : mostFields} isOptional={!index.local}
          onChange={(sort) => onChange({ sort })} />
        <Select label="Projected attributes" value={index.projection} onChange={(projection) => onChange({ projection })} options={[
          { value: 'ALL', label: 'All' }, { value: 'KEYS_ONLY', label: 'Keys only' }, { value: 'INCLUDE', label: 'Keys and these' },
        ]} />
        {index.projection === 'INCLUDE' && (
          <TextField label="Attributes, separated by commas" value={index.include} onChange={(include) => onChange({ include })} />
        )}
      </div>
    </fieldset>
  )
}
