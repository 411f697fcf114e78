import { useId, useMemo, useState } from 'react'
import { entitiesOf, typeAttributes, usualAttribute, type Entity } from '../../design/entities'
import { facetsOf, type View } from '../../design/views'
import { Button } from '../../widgets/Button'
import { Select } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import '../../styles/design.css'
import { EntityCard } from './EntityCard'
import { FacetTable } from './FacetTable'
import { step, type Sample } from './useSample'

/** The most entities that are shown: more are no design, but values that are taken for kinds. */
const mostEntities = 40

interface Props {
  /** The table and its indexes, or the container; the first has all items. */
  views: View[]
  /** How many items there are, as the service last counted them. */
  total: number
  unit: string
  sample: Sample | undefined
  error: Error | undefined
  busy: boolean
  more: () => void
}

/** Design shows which entities some items are, with the patterns of their keys in the table and in each index. */
export function Design({ views, total, unit, sample, error, busy, more }: Props) {
  const [chosen, choose] = useState<string>()
  const id = useId()
  const keys = views[0]!.keys
  const rows = sample?.rows ?? []
  const attributes = useMemo(() => typeAttributes(rows, keys), [sample])
  const attribute = chosen === '' || (chosen !== undefined && attributes.includes(chosen)) ? chosen : usualAttribute(rows, keys)
  const all = useMemo(() => entitiesOf(rows, attribute, keys), [sample, attribute])
  const entities = all.slice(0, mostEntities)
  return (
    <>
      <section className="panel" aria-label="Sample" aria-busy={busy}>
        <div className="panel-body stack">
          <div className="row top">
            <Select label="Group items by" value={attribute} onChange={choose} options={[
              { value: '', label: 'Pattern of the key values' }, ...attributes.map((name) => ({ value: name, label: `Attribute ${name}` })),
            ]} />
            {sample?.next && <Button icon="down" onPress={more} isDisabled={busy}>Read {step.toLocaleString('en-US')} more</Button>}
          </div>
          <ErrorMessage error={error} />
        </div>
        <SampleLine {...{ sample, total, unit, busy, entities: all.length }} />
      </section>
      {sample && rows.length === 0 && !busy && <div className="panel empty"><h2>No items yet</h2><p>The design appears with the first items of any client.</p></div>}
      {entities.length > 0 && <Facets {...{ views, entities, id }} />}
      <div className="columns">
        {entities.map((e, i) => <EntityCard key={e.name} id={`${id}-${i}`} entity={e} keys={keys} of={rows.length} />)}
      </div>
    </>
  )
}

function SampleLine({ sample, total, unit, busy, entities }: {
  sample: Sample | undefined; total: number; unit: string; busy: boolean; entities: number
}) {
  const number = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const read = sample?.rows.length ?? 0
  return (
    <div className="status-line" role="status">
      <span><strong>{number(read)}</strong> {read === 1 ? 'item' : 'items'} read{sample?.next && total > read && ` of about ${number(total)}`}</span>
      <span><strong>{number(entities)}</strong> {entities === 1 ? 'entity' : 'entities'}{entities > mostEntities && `, the largest ${mostEntities} are shown`}</span>
      <span><strong>{number(sample?.units ?? 0)}</strong> {unit}</span>
      <span className="grow" />
      <span>{busy ? 'Reading…' : sample && !sample.next ? 'These are all items' : 'The others may differ'}</span>
    </div>
  )
}

function Facets({ views, entities, id }: { views: View[]; entities: Entity[]; id: string }) {
  const link = (name: string) => `#${id}-${entities.findIndex((e) => e.name === name)}`
  return views.map((view) => <FacetTable key={`${view.isWhole} ${view.name}`} view={view} facets={facetsOf(entities, view)} link={link} />)
}
