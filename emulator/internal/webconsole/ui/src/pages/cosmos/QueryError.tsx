import { Problem } from '../../api/http'
import { cosmosMistakes, placeOf, type Mistake } from '../../values/marks'
import { pretty } from '../../values/pretty'
import { Code, CopyButton } from '../../widgets/Copy'
import { ErrorMessage } from '../../widgets/Message'

/** QueryError shows why Cosmos DB refused a query: what it says, where in the query, and on request its whole answer. */
export function QueryError({ error, sql }: { error: Error | undefined; sql: string }) {
  const mistakes = error instanceof Problem ? cosmosMistakes(sql, error.message) : []
  if (!(error instanceof Problem) || mistakes.length === 0) return <ErrorMessage error={error} />
  return (
    <div className="message error stack tight">
      <div role="alert" className="stack tight">
        {mistakes.map((m, i) => <MistakeView key={i} mistake={m} sql={sql} />)}
      </div>
      <dl className="properties small">
        <dt>Status</dt><dd>{error.status} {error.code}</dd>
        {error.activity && (
          <><dt>Activity ID</dt><dd><code className="break">{error.activity}</code><CopyButton text={error.activity} label="Copy the activity ID" /></dd></>
        )}
      </dl>
      <details><summary>The service’s answer</summary><Code label="The service’s answer" text={pretty(error.body)} /></details>
    </div>
  )
}

function MistakeView({ mistake: { code, message, mark }, sql }: { mistake: Mistake; sql: string }) {
  const place = mark && placeOf(sql, mark)
  return (
    <div>
      <p>{code && <strong>{code}: </strong>}{message}</p>
      {place && (
        <p className="small">
          Line {place.line}, column {place.column}: <code>{place.parts[0].slice(-60)}<mark>{place.parts[1]}</mark>{place.parts[2].slice(0, 60)}</code>
        </p>
      )}
    </div>
  )
}
