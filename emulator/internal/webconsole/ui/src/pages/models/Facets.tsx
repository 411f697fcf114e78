import { declare, unused, within, type Edit, type ErrorAt } from '../../model/edit'
import type { ModelFacet, ModelTable } from '../../model/model'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'
import { ListField } from '../../widgets/ListField'

/** Facets edits the facets of a table: kinds of items, with the patterns of their keys. */
export function Facets({ table, edit, error }: { table: ModelTable; edit: Edit; error: ErrorAt }) {
  const all = table.TableFacets
  const add = () => {
    const facet: ModelFacet = {
      FacetName: unused('Facet', all.map((f) => f.FacetName)), NonKeyAttributes: [],
      KeyAttributeAlias: { PartitionKeyAlias: '{id}', ...(table.KeyAttributes.SortKey && { SortKeyAlias: '' }) },
    }
    edit.put(['TableFacets', all.length], facet)
  }
  return (
    <section className="stack tight" aria-label="Facets">
      <h3>Facets</h3>
      {all.map((f, i) => (
        <FacetFields key={i} table={table} facet={f} edit={within(edit, 'TableFacets', i)} error={(...path) => error('TableFacets', i, ...path)}
          onBlur={() => declare(table, edit, f.NonKeyAttributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })))}
          onRemove={() => edit.remove(['TableFacets', i])} />
      ))}
      <div><Button small icon="plus" onPress={add}>Facet</Button></div>
    </section>
  )
}

function FacetFields({ table, facet, edit, error, onBlur, onRemove }: {
  table: ModelTable; facet: ModelFacet; edit: Edit; error: ErrorAt; onBlur: () => void; onRemove: () => void
}) {
  const { PartitionKeyAlias: partition, SortKeyAlias: sort = '' } = facet.KeyAttributeAlias
  const { PartitionKey, SortKey } = table.KeyAttributes
  return (
    <fieldset className="panel panel-body stack tight">
      <legend className="visually-hidden">Facet {facet.FacetName}</legend>
      <div className="row top" style={{ flexWrap: 'nowrap' }}>
        <TextField className="grow" label="Name of the facet" value={facet.FacetName} error={error('FacetName')} onChange={(name) => edit.put(['FacetName'], name)} />
        <Button kind="quiet" icon="trash" aria-label={`Remove facet ${facet.FacetName}`} onPress={onRemove} />
      </div>
      <div className="form-grid">
        <TextField mono label={`Pattern of ${PartitionKey.AttributeName || 'the partition key'}`} value={partition} hint="Such as USER#{id}"
          onChange={(alias) => edit.put(['KeyAttributeAlias', 'PartitionKeyAlias'], alias)} />
        {SortKey && (
          <TextField mono label={`Pattern of ${SortKey.AttributeName || 'the sort key'}`} value={sort}
            onChange={(alias) => edit.put(['KeyAttributeAlias', 'SortKeyAlias'], alias)} />
        )}
        <ListField label="Attributes of the facet" hint="Separated by commas" names={facet.NonKeyAttributes} onBlur={onBlur}
          onChange={(names) => edit.put(['NonKeyAttributes'], names)} />
      </div>
    </fieldset>
  )
}
