import { useId } from 'react'
import { cellOf } from '../../design/rows'
import type { Facet, View } from '../../design/views'
import { cut } from '../../values/attribute'
import { Patterns } from './Patterns'

/** The most attributes that a row names; the card of the entity has all. */
const mostAttributes = 12

interface Props {
  view: View
  facets: Facet[]
  /** The address of an entity's card, or undefined if it has none. */
  link: (entity: string) => string | undefined
  /** What the items are, for the texts. */
  items?: { counted: (n: number) => string; none: string }
}

const read = { counted: (n: number) => `${n.toLocaleString('en-US')} of the items read`, none: 'No item that was read is in this index' }

/** FacetTable shows which entities a table, an index or a container has, and with which keys. Narrow windows stack its cells. */
export function FacetTable({ view, facets, link, items = read }: Props) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{view.isWhole ? view.name : <>Index <bdi className="break">{view.name}</bdi></>}</h2>
        <span className="muted small">{items.counted(facets.reduce((sum, f) => sum + f.count, 0))}</span>
      </div>
      {facets.length === 0 ? <div className="empty">{items.none}</div> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-labelledby={id}>
          <table className="table facets" role="table">
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col">Entity</th>
                {view.keys.map((k) => <th key={k.name} role="columnheader" scope="col"><bdi>{k.label}</bdi></th>)}
                <th role="columnheader" scope="col" className="number">Items</th>
                <th role="columnheader" scope="col">Attributes</th>
              </tr>
            </thead>
            <tbody role="rowgroup">{facets.map((f) => <FacetRow key={f.entity} facet={f} view={view} href={link(f.entity)} />)}</tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function FacetRow({ facet, view, href }: { facet: Facet; view: View; href: string | undefined }) {
  return (
    <tr role="row">
      <th role="rowheader" scope="row">{href ? <a href={href}><bdi className="break">{cut(facet.entity, 80)}</bdi></a> : <bdi className="break">{cut(facet.entity, 80)}</bdi>}</th>
      {view.keys.map((k, i) => (
        <td key={k.name} role="cell" data-label={k.label}>
          <Patterns patterns={facet.patterns[i]!} />
          <div className="muted small break mono"><bdi>{cut(cellOf(facet.example, k.name)?.text ?? '', 120)}</bdi></div>
        </td>
      ))}
      <td role="cell" data-label="Items" className="number">{facet.count.toLocaleString('en-US')}</td>
      <td role="cell" data-label="Attributes" className="small break"><Names names={facet.attributes} /></td>
    </tr>
  )
}

function Names({ names }: { names: string[] }) {
  if (names.length === 0) return <span className="muted">Keys only</span>
  const more = names.length - mostAttributes
  return <>{names.slice(0, mostAttributes).map((n) => cut(n, 60)).join(', ')}{more > 0 && ` and ${more} more`}</>
}
