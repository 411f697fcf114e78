import { attributesOf, exampleOf, type Entity } from '../../design/entities'
import { patternsOf, type Key } from '../../design/patterns'
import { cellOf } from '../../design/rows'
import { cut } from '../../values/attribute'
import { Patterns } from './Patterns'

/** The most attributes that are shown of one entity. */
const mostAttributes = 100

/** EntityCard shows the attributes of an entity, with their types, how many items have them, and one item. */
export function EntityCard({ id, entity: { name, rows }, keys, of }: { id: string; entity: Entity; keys: Key[]; of: number }) {
  const attributes = attributesOf(rows, keys)
  const example = exampleOf(rows)
  const hidden = attributes.length - mostAttributes
  return (
    <section className="panel entity" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <div className="panel-head">
        <h2 id={`${id}-name`} className="break"><bdi>{cut(name, 200)}</bdi></h2>
        <span className="muted small">{rows.length.toLocaleString('en-US')} {rows.length === 1 ? 'item' : 'items'}, {share(rows.length, of)}</span>
      </div>
      <dl className="properties panel-body">
        {keys.map((k) => <KeyPatterns key={k.name} label={k.label} patterns={patternsOf(rows, k, keys)} />)}
      </dl>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={`Attributes of ${cut(name, 80)}`}>
        <table className="table entity-attributes">
          <thead>
            <tr><th scope="col">Attribute</th><th scope="col">Type</th><th scope="col" className="number">Items</th><th scope="col">One item</th></tr>
          </thead>
          <tbody>
            {attributes.slice(0, mostAttributes).map((a) => (
              <tr key={a.name}>
                <th scope="row" className="break"><bdi>{cut(a.name, 100)}</bdi></th>
                <td>{a.types.join(', ')}</td>
                <td className="number">{a.count.toLocaleString('en-US')} <span className="muted small">{share(a.count, rows.length)}</span></td>
                <td className={`mono break ${cellOf(example, a.name)?.style ?? ''}`}><bdi>{cut(cellOf(example, a.name)?.text ?? '', 120)}</bdi></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <div className="status-line">{hidden} more attributes are in the items</div>}
    </section>
  )
}

function KeyPatterns({ label, patterns }: { label: string; patterns: string[] }) {
  return (
    <>
      <dt><bdi className="break">{label}</bdi></dt>
      <dd><Patterns patterns={patterns} /></dd>
    </>
  )
}

/** share is a part in percent; less than all is never shown as 100%, nor something as 0%. */
function share(part: number, of: number): string {
  if (part === of) return '100%'
  return `${Math.min(99, Math.max(1, Math.round((part / of) * 100)))}%`
}
