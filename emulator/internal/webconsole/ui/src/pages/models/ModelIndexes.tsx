import { declare, unused, within, type Edit, type ErrorAt } from '../../model/edit'
import { allIndexes, keyAttributes, type ModelIndex, type ModelTable } from '../../model/model'
import type { Path } from '../../values/editJson'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { ListField } from '../../widgets/ListField'
import { ModelKeyFields } from './ModelKeyFields'

type Kind = 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'

/** ModelIndexes edits the global and local indexes of a table. */
export function ModelIndexes({ table, edit, error }: { table: ModelTable; edit: Edit; error: ErrorAt }) {
  const add = (kind: Kind) => {
    const part = { AttributeName: '', AttributeType: 'S' as const }
    const index: ModelIndex = {
      IndexName: unused('index', allIndexes(table).map((x) => x.IndexName)),
      KeyAttributes: kind === 'GlobalSecondaryIndexes' ? { PartitionKey: part } : { PartitionKey: table.KeyAttributes.PartitionKey, SortKey: part },
      Projection: { ProjectionType: 'ALL' },
    }
    edit.put([kind, (table[kind] ?? []).length], index)
  }
  const list = (kind: Kind) => (table[kind] ?? []).map((index, i) => {
    const of = (...path: Path) => error(kind, i, ...path)
    return <IndexFields key={`${kind} ${i}`} isLocal={kind === 'LocalSecondaryIndexes'} index={index} edit={within(edit, kind, i)} error={of}
      onNamed={() => declare(table, edit, keyAttributes(index.KeyAttributes))} onRemove={() => edit.remove([kind, i])} />
  })
  return (
    <section className="stack tight" aria-label="Indexes">
      <h3>Indexes</h3>
      {list('GlobalSecondaryIndexes')}
      {list('LocalSecondaryIndexes')}
      <div className="row">
        <Button small icon="plus" onPress={() => add('GlobalSecondaryIndexes')}>Global index</Button>
        <Button small icon="plus" onPress={() => add('LocalSecondaryIndexes')} isDisabled={!table.KeyAttributes.SortKey}>Local index</Button>
      </div>
    </section>
  )
}

function IndexFields({ isLocal, index, edit, error, onNamed, onRemove }: {
  isLocal: boolean; index: ModelIndex; edit: Edit; error: ErrorAt; onNamed: () => void; onRemove: () => void
}) {
  const { ProjectionType: projection, NonKeyAttributes: projected = [] } = index.Projection
  const project = (type: string) => {
    edit.put(['Projection', 'ProjectionType'], type)
    if (type !== 'INCLUDE') edit.remove(['Projection', 'NonKeyAttributes'])
  }
  return (
    <fieldset className="panel panel-body stack tight">
      <legend className="visually-hidden">{isLocal ? 'Local' : 'Global'} index {index.IndexName}</legend>
      <div className="row top" style={{ flexWrap: 'nowrap' }}>
        <TextField className="grow" label={isLocal ? 'Name of the local index' : 'Name of the global index'} value={index.IndexName} error={error('IndexName')}
          onChange={(name) => edit.put(['IndexName'], name)} />
        <Button kind="quiet" icon="trash" aria-label={`Remove index ${index.IndexName}`} onPress={onRemove} />
      </div>
      <div className="form-grid">
        {!isLocal && <ModelKeyFields label="Partition key of the index" part="PartitionKey" of={index.KeyAttributes} edit={edit} error={error} onBlur={onNamed} />}
        <ModelKeyFields label={`Sort key of the index${isLocal ? '' : ' (optional)'}`} part="SortKey" of={index.KeyAttributes} edit={edit} error={error} onBlur={onNamed} />
        <Select label="Projected attributes" value={projection} error={error('Projection', 'ProjectionType')} onChange={project} options={[
          { value: 'ALL', label: 'All' }, { value: 'KEYS_ONLY', label: 'Keys only' }, { value: 'INCLUDE', label: 'Keys and these' },
        ]} />
        {projection === 'INCLUDE' && (
          <ListField label="Attributes, separated by commas" names={projected} error={error('Projection', 'NonKeyAttributes')}
            onChange={(names) => edit.put(['Projection', 'NonKeyAttributes'], names)} />
        )}
      </div>
    </fieldset>
  )
}
