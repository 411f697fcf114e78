import { cut } from '../../values/attribute'

/** The most patterns that one key of an entity is shown with. */
const most = 3

/** Patterns are those of one key, with what stands for a value in another colour. */
export function Patterns({ patterns }: { patterns: string[] }) {
  return (
    <ul>
      {patterns.slice(0, most).map((p) => <li key={p}><code className="pattern break">{marked(p)}</code></li>)}
      {patterns.length > most && <li className="muted small">and {patterns.length - most} more</li>}
    </ul>
  )
}

function marked(pattern: string) {
  return cut(pattern, 200).split(/(<[^<>]+>)/).map((part, i) => (i % 2 === 1 ? <span key={i} className="placeholder">{part}</span> : part))
}
