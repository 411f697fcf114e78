import type { Explanation, Statement } from '../../api/access'

/** ExplanationView shows a decision, the statement that decided, and why each of the others does not apply. */
export function ExplanationView({ explanation: { allowed, summary, statements } }: { explanation: Explanation }) {
  const closest = statements.find((s) => s.closest)
  return (
    <div className="stack">
      <p><span className={`badge ${allowed ? 'ok' : 'bad'}`}>{allowed ? 'Allowed' : 'Denied'}</span> {summary.replace(/^(allowed|denied):? /, '')}</p>
      {closest && (
        <div className="message warning">
          <strong>Closest allow: {closest.statement}</strong>
          <ul>{closest.reasons.map((r) => <li key={r}>{r}</li>)}</ul>
        </div>
      )}
      {statements.length === 0 ? <p className="muted">No policy applies to this principal or resource.</p> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Statements">
          <table className="table">
            <thead><tr>
              <th scope="col">Statement</th><th scope="col">Kind</th><th scope="col">Effect</th><th scope="col">Applies</th><th scope="col">Why not</th>
            </tr></thead>
            <tbody>{statements.map((s, i) => <Row key={i} statement={s} />)}</tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function Row({ statement: s }: { statement: Statement }) {
  return (
    <tr>
      <td className="break"><bdi>{s.statement}</bdi> {s.decides && <span className="badge">decides</span>}</td>
      <td>{s.kind}</td>
      <td>{s.effect}</td>
      <td>{s.applies ? <span className={`badge ${s.effect === 'Allow' ? 'ok' : 'bad'}`}>yes</span> : 'no'}</td>
      <td className="break small" style={{ minWidth: 240 }}>{s.reasons.join('; ')}</td>
    </tr>
  )
}
