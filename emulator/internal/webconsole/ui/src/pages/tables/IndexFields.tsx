import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import type { IndexForm, KeyField, KeyType } from './tableForm'

const keyTypes: { value: KeyType; label: string }[] = [
  { value: 'S', label: 'String' }, { value: 'N', label: 'Number' }, { value: 'B', label: 'Binary' },
]

export function KeyFields({ label, value, onChange }: { label: string; value: KeyField; onChange: (value: KeyField) => void }) {
  return (
    <div className="row top" style={{ flexWrap: 'nowrap' }}>
      <TextField className="grow" label={label} value={value.name} onChange={(name) => onChange({ ...value, name })} />
      <Select label={`Type of ${label.replace(/ \(.*/, '').toLowerCase()}`} hideLabel value={value.type} options={keyTypes}
        onChange={(type) => onChange({ ...value, type })} />
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
          onChange={(name) => onChange({ name })} />
        {onRemove && <Button kind="quiet" icon="trash" aria-label="Remove this index" onPress={onRemove} />}
      </div>
      <div className="form-grid">
        {!index.local && <KeyFields label="Partition key of the index" value={index.partition} onChange={(partition) => onChange({ partition })} />}
        <KeyFields label={index.local ? 'Sort key of the index' : 'Sort key of the index (optional)'} value={index.sort}
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
