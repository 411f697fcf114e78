import { useId, useMemo } from 'react'
import { pictureOf } from '../../model/picture'
import type { ModelTable } from '../../model/model'
import '../../styles/design.css'
import { EntityCard } from '../design/EntityCard'
import { FacetTable } from '../design/FacetTable'

const samples = { counted: (n: number) => (n === 1 ? '1 sample item' : `${n.toLocaleString('en-US')} sample items`), none: 'No sample item is in this index' }

/** ModelPicture shows a table of a model as the design page shows one with items: facets in the table and each index. */
export function ModelPicture({ table }: { table: ModelTable }) {
  const id = useId()
  const { views, entities } = useMemo(() => pictureOf(table), [table])
  const link = (name: string) => {
    const i = entities.findIndex((e) => e.name === name)
    return i < 0 ? undefined : `#${id}-${i}`
  }
  return (
    <section className="stack" aria-labelledby={`${id}-table`}>
      <h2 id={`${id}-table`} className="break">Table <bdi>{table.TableName}</bdi></h2>
      {views.map(({ view, facets }) => <FacetTable key={`${view.isWhole} ${view.name}`} view={view} facets={facets} link={link} items={view.isWhole ? { ...samples, none: 'No facets and no sample items yet' } : samples} />)}
      <div className="columns">
        {entities.map((e, i) => <EntityCard key={e.name} id={`${id}-${i}`} entity={e} keys={views[0]!.view.keys} of={table.TableData.length} />)}
      </div>
    </section>
  )
}
