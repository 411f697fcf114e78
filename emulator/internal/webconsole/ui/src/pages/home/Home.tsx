import { account, type DatabaseWithContainers } from '../../api/cosmos'
import { describeTables } from '../../api/dynamodb'
import { apiDocs } from '../../api/http'
import { concernsCloud, useResource } from '../../api/useResource'
import { Link, to } from '../../app/router'
import { useEmulator } from '../../app/session'
import { bytes } from '../../values/size'
import type { Table } from '../../values/table'
import { ErrorMessage } from '../../widgets/Message'
import { TablesTable } from '../tables/TablesTable'
import { CosmosConnection, DynamoDBConnection } from './Connections'
import { missingDemo, type Demo } from './demo'
import { AddDemoData, DemoData, useDemoData } from './DemoData'
import { Snippets } from './Snippets'

/** Home shows what the emulator holds and how to connect to it. */
export function Home() {
  const { overview } = useEmulator()
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Tabletop</h1>
          <span className="muted small">
            Version {overview.version} · data {overview.dataFolder ? <>in <code>{overview.dataFolder}</code></> : 'in memory'} · <span className="nowrap">seed {overview.seed}</span>
          </span>
        </div>
        <a href={apiDocs}>API documentation</a>
      </div>
      <Holdings />
      <div className="columns">
        <DynamoDBConnection />
        {overview.cosmos && <CosmosConnection cosmos={overview.cosmos} />}
      </div>
      <Snippets />
    </>
  )
}

/** Holdings are the tables and containers, and the demo data that is missing among them. */
function Holdings() {
  const { cosmos } = useEmulator().overview
  const tables = useResource('described', describeTables, concernsCloud('dynamodb'))
  const containers = useResource('account', async () => (cosmos ? account() : []), concernsCloud('cosmos'))
  const rows = containers.data?.flatMap((d) => d.containers.map((c) => ({ database: d.database, ...c })))
  const missing = tables.data && rows && missingDemo(tables.data.map((t) => t.TableName),
    cosmos ? rows.map((r) => `${r.database.id}/${r.container.id}`) : undefined)
  return (
    <div className="stack">
      <Tables data={tables.data} error={tables.error} missing={missing} />
      {cosmos && <Containers rows={rows} error={containers.error} />}
    </div>
  )
}

function Tables({ data, error, missing }: { data: Table[] | undefined; error: Error | undefined; missing: Demo | undefined }) {
  const demo = useDemoData()
  return (
    <section className="panel" aria-labelledby="home-tables">
      <div className="panel-head">
        <h2 id="home-tables">Tables</h2>
        <div className="row">
          {missing && data!.length > 0 && <AddDemoData demo={demo} missing={missing} />}
          <Link href="/dynamodb/tables">Manage tables</Link>
        </div>
      </div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {demo.error && <div className="panel-body"><ErrorMessage error={demo.error} /></div>}
      {missing && data!.length === 0 && <DemoData demo={demo} missing={missing} />}
      {data && data.length > 0 && <TablesTable tables={data} />}
    </section>
  )
}

type ContainerRow = { database: { id: string } } & DatabaseWithContainers['containers'][number]

function Containers({ rows, error }: { rows: ContainerRow[] | undefined; error: Error | undefined }) {
  return (
    <section className="panel" aria-labelledby="home-containers">
      <div className="panel-head"><h2 id="home-containers">Containers</h2><Link href="/cosmos">Manage databases</Link></div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {rows?.length === 0 && <div className="empty">No containers yet</div>}
      {rows && rows.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Containers">
          <table className="table cards">
            <thead><tr><th scope="col">Container</th><th scope="col">Partition key</th><th scope="col" className="number">Items</th><th scope="col" className="number">Size</th></tr></thead>
            <tbody>
              {rows.map(({ database, container, usage }) => (
                <tr key={container._self}>
                  <td className="break name"><Link href={to('cosmos', database.id, container.id)}><bdi>{database.id}</bdi> / <bdi>{container.id}</bdi></Link></td>
                  <td className="mono break" data-label="Partition key">{container.partitionKey.paths.join(', ')}</td>
                  <td className="number" data-label="Items">{usage.items.toLocaleString('en-US')}</td>
                  <td className="number" data-label="Size">{bytes(usage.kilobytes * 1024)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
