import { useState } from 'react'
import type { Problem } from '../../model/check'
import { errorAt, newTable, within, type Edit } from '../../model/edit'
import type { Model } from '../../model/model'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'
import { Tabs } from '../../widgets/Tabs'
import { TableFields } from './TableFields'

/** ModelForm edits a model: its name and description, and one of its tables at a time. */
export function ModelForm({ model, problems, edit }: { model: Model; problems: Problem[]; edit: Edit }) {
  const [shown, setShown] = useState(0)
  const error = errorAt(problems)
  const tables = model.DataModel
  const at = Math.min(shown, tables.length - 1)
  const add = () => {
    edit.put(['DataModel', tables.length], newTable(tables))
    setShown(tables.length)
  }
  const addButton = <Button small icon="plus" onPress={add}>Table</Button>
  return (
    <div className="stack">
      <div className="form-grid">
        <TextField label="Name of the model" value={model.ModelName} error={error('ModelName')} onChange={(name) => edit.put(['ModelName'], name)} />
        <TextField label="Description" value={String(model.ModelMetadata.Description ?? '')} onChange={(text) => edit.put(['ModelMetadata', 'Description'], text)} />
        <TextField label="Author" value={String(model.ModelMetadata.Author ?? '')} onChange={(text) => edit.put(['ModelMetadata', 'Author'], text)} />
      </div>
      <section className="panel" aria-label="Tables of the model">
        {at < 0 ? <div className="empty">The model has no tables yet{addButton}</div> : (
          <Tabs label="Tables" tabs={tables.map((_, i) => String(i))} selected={String(at)} onSelect={(i) => setShown(Number(i))}
            labelOf={(i) => tables[Number(i)]!.TableName || 'Table without a name'} after={addButton}>
            <TableFields key={at} table={tables[at]!} edit={within(edit, 'DataModel', at)} error={errorAt(problems, 'DataModel', at)}
              onRemove={() => edit.remove(['DataModel', at])} />
          </Tabs>
        )}
      </section>
    </div>
  )
}
