import { declare, unused, within, type Edit, type ErrorAt } from '../../model/edit'
import type { Attribute, ModelTable } from '../../model/model'
import { attributeTypes, typeNames } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { Facets } from './Facets'
import { ModelKeyFields } from './ModelKeyFields'
import { ModelIndexes } from './ModelIndexes'
import { SampleItems } from './SampleItems'

/** TableFields edits a table of a model. Paths of its edit and errors are in the table. */
export function TableFields({ table, edit, error, onRemove }: { table: ModelTable; edit: Edit; error: ErrorAt; onRemove: () => void }) {
  return (
    <div className="panel-body stack">
      <div className="row top" style={{ flexWrap: 'nowrap' }}>
        <TextField className="grow" label="Table name" value={table.TableName} error={error('TableName')} onChange={(name) => edit.put(['TableName'], name)} />
        <Button kind="quiet" icon="trash" aria-label={`Remove table ${table.TableName}`} onPress={onRemove} />
      </div>
      <div className="form-grid">
        <ModelKeyFields label="Partition key" part="PartitionKey" of={table.KeyAttributes} edit={edit} error={error} />
        <ModelKeyFields label="Sort key (optional)" part="SortKey" of={table.KeyAttributes} edit={edit} error={error} />
      </div>
      <OtherAttributes table={table} edit={edit} />
      <ModelIndexes table={table} edit={edit} error={error} />
      <Facets table={table} edit={edit} error={error} />
      <SampleItems table={table} edit={within(edit, 'TableData')} error={error} />
    </div>
  )
}

const types = attributeTypes.map((value) => ({ value, label: typeNames[value] }))

function OtherAttributes({ table, edit }: { table: ModelTable; edit: Edit }) {
  const all = table.NonKeyAttributes
  const set = (i: number, a: Partial<Attribute>) => Object.entries(a).forEach(([name, value]) => edit.put(['NonKeyAttributes', i, name], value))
  return (
    <section className="stack tight" aria-label="Other attributes">
      <h3>Other attributes</h3>
      <div className="form-grid">
        {all.map((a, i) => (
          <div key={i} className="row top" style={{ flexWrap: 'nowrap' }}>
            <TextField className="grow" label={`Attribute ${i + 1}`} hideLabel value={a.AttributeName ?? ''} onChange={(AttributeName) => set(i, { AttributeName })} />
            <Select label={`Type of attribute ${i + 1}`} hideLabel value={a.AttributeType ?? 'S'} options={types} onChange={(AttributeType) => set(i, { AttributeType })} />
            <Button kind="quiet" icon="trash" aria-label={`Remove attribute ${a.AttributeName}`} onPress={() => edit.remove(['NonKeyAttributes', i])} />
          </div>
        ))}
      </div>
      <div><Button small icon="plus" onPress={() => declare(table, edit, [{
        AttributeName: unused('attribute', all.map((a) => a.AttributeName)), AttributeType: 'S',
      }])}>Attribute</Button></div>
    </section>
  )
}
