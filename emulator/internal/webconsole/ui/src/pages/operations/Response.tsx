import type { Result } from '../../api/dynamodb'
import { capacityOf, unprocessed } from '../../forms/answers'
import { parse, print } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'

/** Response is the answer to a request, with what it consumed. onAgain sends what a batch has left. */
export function Response({ operation, result, onAgain }: {
  operation: string; result: Result<unknown>; onAgain: (requests: unknown) => void
}) {
  const left = unprocessed(result.output)
  return (
    <section className="panel" aria-label="Response">
      <div className="panel-head"><h2>Response of {operation}</h2></div>
      <div className="panel-body stack">
        {left && (
          <div className="message warning row spread" role="status">
            <span>{left.count === 1 ? '1 item of the batch is' : `${left.count} items of the batch are`} unprocessed</span>
            <Button onPress={() => onAgain(left.requests)}>Send unprocessed again</Button>
          </div>
        )}
        <Code label="Response" text={result.text ? print(parse(result.text)) : 'The response has no body.'} />
      </div>
      <div className="status-line" role="status">
        {capacityOf(result.output).map(({ table, units }) => (
          <span key={table}><strong>{units}</strong> capacity {units === 1 ? 'unit' : 'units'} of <bdi>{table}</bdi></span>
        ))}
        {result.cost && <span><strong>${result.cost.usd}</strong> on AWS</span>}
        <span><strong>{Math.max(1, Math.round(result.milliseconds))}</strong> ms</span>
      </div>
    </section>
  )
}
