import type { TimeToLive } from '../../api/dynamodb'
import { bytes } from '../../values/size'
import { isLocal, indexes, keyNames, keyParts, type Index, type Table } from '../../values/table'
import { CopyButton } from '../../widgets/Copy'

/** Schema shows the keys, indexes and settings of a table. */
export function Schema({ table, ttl }: { table: Table; ttl: TimeToLive | undefined }) {
  const all = indexes(table)
  return (
    <>
      <section className="panel" aria-labelledby="settings">
        <div className="panel-head"><h2 id="settings">Table</h2><span className={`badge ${table.TableStatus === 'ACTIVE' ? 'ok' : 'warn'}`}>{table.TableStatus}</span></div>
        <dl className="properties panel-body">
          {keyParts(table).map((k, i) => (
            <Row key={k.name} name={i === 0 ? 'Partition key' : 'Sort key'}><code>{k.name} ({k.type})</code></Row>
          ))}
          <Row name="Items">{table.ItemCount.toLocaleString('en-US')}, {bytes(table.TableSizeBytes)}</Row>
          <Row name="Capacity">{capacity(table)}</Row>
          <Row name="Time to live">{ttl?.AttributeName ? <><code>{ttl.AttributeName}</code> {ttl.TimeToLiveStatus.toLowerCase()}</> : 'Off'}</Row>
          <Row name="Stream">{table.StreamSpecification?.StreamViewType ?? 'Off'}</Row>
          <Row name="Deletion protection">{table.DeletionProtectionEnabled ? 'On' : 'Off'}</Row>
          <Row name="Created">{new Date(table.CreationDateTime * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC</Row>
          <Row name="ARN"><code className="clip" title={table.TableArn}>{table.TableArn}</code><CopyButton text={table.TableArn} label="Copy ARN" /></Row>
        </dl>
      </section>
      <section className="panel" aria-labelledby="indexes">
        <div className="panel-head"><h2 id="indexes">Indexes</h2></div>
        {all.length === 0 ? <div className="empty">This table has no indexes</div> : (
          <div className="table-wrap" tabIndex={0} role="region" aria-label="Indexes">
            <table className="table">
              <thead><tr><th scope="col">Index</th><th scope="col">Kind</th><th scope="col">Key</th><th scope="col">Projection</th><th scope="col" className="number">Items</th><th scope="col" className="number">Size</th></tr></thead>
              <tbody>{all.map((i) => <IndexRow key={i.IndexName} index={i} local={isLocal(table, i.IndexName)} />)}</tbody>
            </table>
          </div>
        )}
      </section>
    </>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return <><dt>{name}</dt><dd>{children}</dd></>
}

function capacity(table: Table): string {
  if (table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST') return 'On demand'
  const p = table.ProvisionedThroughput
  return `${p?.ReadCapacityUnits ?? 0} reads and ${p?.WriteCapacityUnits ?? 0} writes per second`
}

function IndexRow({ index, local }: { index: Index; local: boolean }) {
  const { ProjectionType, NonKeyAttributes } = index.Projection
  return (
    <tr>
      <td className="break">{index.IndexName} {index.IndexStatus && index.IndexStatus !== 'ACTIVE' && <span className="badge warn">{index.IndexStatus}</span>}</td>
      <td>{local ? 'Local' : 'Global'}</td>
      <td className="mono">{keyNames(index.KeySchema).join(', ')}</td>
      <td className="break">{ProjectionType === 'INCLUDE' ? `Keys, ${NonKeyAttributes?.join(', ')}` : ProjectionType === 'ALL' ? 'All' : 'Keys'}</td>
      <td className="number">{(index.ItemCount ?? 0).toLocaleString('en-US')}</td>
      <td className="number">{bytes(index.IndexSizeBytes ?? 0)}</td>
    </tr>
  )
}
