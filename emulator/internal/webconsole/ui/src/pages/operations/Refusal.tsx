import { failedItem, reasonsOf } from '../../forms/answers'
import { Code } from '../../widgets/Copy'
import { ErrorMessage } from '../../widgets/Message'

/** Refusal is the service's error, with the reasons of a cancelled transaction and the items that did not meet a condition. */
export function Refusal({ error }: { error: Error | undefined }) {
  const reasons = reasonsOf(error).map((reason, i) => ({ ...reason, number: i + 1 })).filter((r) => r.Code !== 'None')
  const item = failedItem(error)
  return (
    <>
      <ErrorMessage error={error} />
      {reasons.length > 0 && (
        <ul className="stack tight" aria-label="Cancellation reasons">
          {reasons.map((r) => (
            <li key={r.number} className="stack tight">
              <span>Item {r.number}: <strong>{r.Code}</strong>{r.Message && `: ${r.Message}`}</span>
              {r.Item !== undefined && <Code label={`Item ${r.number} as it is`} text={JSON.stringify(r.Item, null, 2)} />}
            </li>
          ))}
        </ul>
      )}
      {item !== undefined && <Code label="The item as it is" text={JSON.stringify(item, null, 2)} />}
    </>
  )
}
