import type { Invalid } from '../../api/imports'

/** InvalidLines lists lines that are not items, with the reasons. */
export function InvalidLines({ title, lines }: { title: string; lines: Invalid[] }) {
  if (lines.length === 0) return null
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line.place} className="break"><strong>{line.place}</strong>: {line.reason}<div className="mono muted">{line.text}</div></li>
        ))}
      </ul>
    </section>
  )
}
