import { differences, kindOf, type Difference, type DifferenceKind, type Value } from '../../values/difference'
import { cut } from '../../values/attribute'

const marks: Record<DifferenceKind, string> = { added: '+', removed: '−', changed: '~' }

/** Differences lists what differs between two states of an item: what was added, removed and changed, each with a mark. */
export function Differences({ before, after }: { before: Value | undefined; after: Value | undefined }) {
  const all = differences(before, after)
  if (all.length === 0) return <p className="muted small">Nothing differs</p>
  return <ul className="differences">{all.map((d) => <Row key={d.path} difference={d} />)}</ul>
}

function Row({ difference }: { difference: Difference }) {
  const kind = kindOf(difference)
  const { path, before, after } = difference
  return (
    <li className={kind}>
      <span className="mark" aria-hidden="true">{marks[kind]}</span>
      <span><bdi className="name break">{cut(path, 200)}</bdi> <span className="muted small">{kind}</span></span>
      <span className="values break">
        {before && <del className="was"><bdi>{shown(before)}</bdi></del>}
        {before && after && <span aria-hidden="true"> → </span>}
        {after && <ins className="will"><bdi>{shown(after)}</bdi></ins>}
        {before && after && before.type !== after.type && <span className="muted small"> {before.type} → {after.type}</span>}
      </span>
    </li>
  )
}

/** shown is the text of a value; one that is empty is seen too. */
function shown(value: Value): string {
  return cut(value.text, 300) || '(empty)'
}
