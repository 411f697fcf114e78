import { useState } from 'react'
import { streamOf, type Shard } from '../../api/feeds'
import { Link, to } from '../../app/router'
import type { Table } from '../../values/table'
import { FeedPanel, type From } from './FeedPanel'
import { useFeed } from './useFeed'

/** TableStream shows the shards of a table's stream, and its records as they come. */
export default function TableStream({ table }: { table: Table }) {
  const arn = table.LatestStreamArn
  if (!arn || !table.StreamSpecification?.StreamEnabled) {
    return (
      <div className="empty">
        <h2>This table has no stream</h2>
        <p>Turn it on in the <Link href={to('dynamodb', 'tables', table.TableName, 'schema')}>schema</Link>, with old and new images, to see each change here.</p>
      </div>
    )
  }
  return <Stream key={arn} arn={arn} view={table.StreamSpecification.StreamViewType ?? ''} />
}

function Stream({ arn, view }: { arn: string; view: string }) {
  const [from, setFrom] = useState<From>('now')
  const [shards, setShards] = useState<Shard[]>([])
  const feed = useFeed(`${arn} ${from}`, () => streamOf(arn, from === 'oldest', setShards))
  return (
    <>
      <FeedPanel title="Records" feed={feed} from={from} onFrom={setFrom} />
      <section className="panel" aria-labelledby="shards">
        <div className="panel-head"><h2 id="shards">Shards</h2><span className="badge">{view}</span></div>
        <div className="table-wrap" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="Shards">
          <table className="table">
            <thead><tr><th scope="col">Shard</th><th scope="col">State</th><th scope="col">Parent</th><th scope="col">First sequence number</th></tr></thead>
            <tbody>{shards.map((s) => (
              <tr key={s.ShardId}>
                <td className="mono nowrap">{s.ShardId}</td>
                <td>{s.SequenceNumberRange.EndingSequenceNumber === undefined ? <span className="badge ok">open</span> : <span className="badge">closed</span>}</td>
                <td className="mono nowrap">{s.ParentShardId}</td>
                <td className="mono">{s.SequenceNumberRange.StartingSequenceNumber}</td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      </section>
    </>
  )
}
