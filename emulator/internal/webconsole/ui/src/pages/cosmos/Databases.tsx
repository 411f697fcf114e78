import { lazy, Suspense, useState } from 'react'
import { account, offers, path, request, type DatabaseWithContainers } from '../../api/cosmos'
import { concernsCloud, useResource } from '../../api/useResource'
import { Link, navigate, to } from '../../app/router'
import { bytes } from '../../values/size'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { TextField } from '../../widgets/Field'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'
import { CreateContainer } from './CreateContainer'
import { MissingDatabase } from './Missing'

const Users = lazy(() => import('./Users'))

/** Databases is the page of all databases and containers of Cosmos DB. only shows one database, with its users. */
export default function Databases({ only }: { only?: string }) {
  const { data, error } = useResource('account', account, concernsCloud('cosmos'))
  const throughput = useResource('offers', offers, (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  const [creating, setCreating] = useState(false)
  const [adding, setAdding] = useState('')
  const [deleting, setDeleting] = useState<string[]>()
  const shown = data?.filter((d) => only === undefined || d.database.id === only)
  const rate = (rid: string) => {
    const content = throughput.data?.find((o) => o.offerResourceId === rid)?.content
    if (!content) return ''
    const most = content.offerAutopilotSettings?.maxThroughput
    return most ? `autoscale to ${most.toLocaleString('en-US')} RU/s` : `${content.offerThroughput.toLocaleString('en-US')} RU/s`
  }
  if (only !== undefined && shown?.length === 0) return <MissingDatabase name={only} />
  return (
    <>
      <div className="page-head">
        <div>
          {only !== undefined && <div className="crumbs"><Link href="/cosmos">Databases</Link> /</div>}
          <h1>{only ?? 'Databases'}</h1>
        </div>
        <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>Create database</Button>
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="databases" />}
      {shown?.length === 0 && (
        <div className="empty panel"><h2>No databases yet</h2><p>Create one here, or with any SDK.</p></div>
      )}
      {shown?.map((d) => <DatabasePanel key={d.database.id} data={d} rate={rate} onAdd={setAdding} onDelete={setDeleting} />)}
      {only !== undefined && shown?.[0] && (
        <Suspense fallback={<Loading what="users" />}>
          <Users key={only} database={only} containers={shown[0].containers.map((c) => c.container.id)} />
        </Suspense>
      )}
      {creating && <CreateDatabase onClose={() => setCreating(false)} />}
      {adding && <CreateContainer database={adding} onClose={() => setAdding('')} />}
      {deleting && <DeleteResource names={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

function DatabasePanel({ data: { database, containers }, rate, onAdd, onDelete }: {
  data: DatabaseWithContainers; rate: (rid: string) => string; onAdd: (db: string) => void; onDelete: (names: string[]) => void
}) {
  const shared = rate(database._rid)
  return (
    <section className="panel" aria-label={`Database ${database.id}`}>
      <div className="panel-head">
        <h2 className="break"><bdi>{database.id}</bdi> {shared && <span className="badge">{shared} shared</span>}</h2>
        <div className="row">
          <Button small icon="plus" onPress={() => onAdd(database.id)}>Container</Button>
          <Menu small label="Actions" actions={[
            { id: 'users', label: 'Users and permissions', run: () => navigate(to('cosmos', database.id)) },
            { id: 'delete', label: 'Delete database…', run: () => onDelete([database.id]) },
          ]} />
        </div>
      </div>
      {containers.length === 0 ? <div className="empty">No containers yet</div> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label={`Containers of ${database.id}`}>
          <table className="table cards">
            <thead><tr>
              <th scope="col">Container</th><th scope="col">Partition key</th><th scope="col">Throughput</th>
              <th scope="col" className="number">Items</th><th scope="col" className="number">Size</th>
              <th scope="col"><span className="visually-hidden">Actions</span></th>
            </tr></thead>
            <tbody>
              {containers.map(({ container, usage }) => (
                <tr key={container.id}>
                  <td className="break name"><Link href={to('cosmos', database.id, container.id)}><bdi>{container.id}</bdi></Link></td>
                  <td className="mono break" data-label="Partition key">{container.partitionKey.paths.join(', ')}</td>
                  <td data-label="Throughput">{rate(container._rid) || 'of the database'}</td>
                  <td className="number" data-label="Items">{usage.items.toLocaleString('en-US')}</td>
                  <td className="number" data-label="Size">{bytes(usage.kilobytes * 1024)}</td>
                  <td className="actions"><Menu small label="Actions" actions={[
                    { id: 'delete', label: 'Delete container…', run: () => onDelete([database.id, container.id]) },
                  ]} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function CreateDatabase({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState('')
  const [throughput, setThroughput] = useState('')
  const [error, setError] = useState<Error>()
  const submit = () => {
    const headers: Record<string, string> = throughput ? { 'x-ms-offer-throughput': throughput } : {}
    request('POST', '/dbs', headers, JSON.stringify({ id })).then(onClose, setError)
  }
  return (
    <Dialog title="Create database" onClose={onClose} onSubmit={submit} footer={<>
      <Button onPress={onClose}>Cancel</Button><Button type="submit" kind="primary" isDisabled={!id}>Create database</Button>
    </>}>
      <TextField label="Database" value={id} onChange={setId} autoFocus />
      <TextField label="Throughput that its containers share (optional)" type="number" min={400} step={100} value={throughput} onChange={setThroughput}
        hint="Request units per second. Empty: each container has its own." />
      <ErrorMessage error={error} />
    </Dialog>
  )
}

/** DeleteResource asks before it deletes a database or a container with everything in it. */
export function DeleteResource({ names: [db, container], onClose, onDeleted }: { names: string[]; onClose: () => void; onDeleted?: () => void }) {
  const [error, setError] = useState<Error>()
  const kind = container === undefined ? 'database' : 'container'
  const run = () => {
    const resource = container === undefined ? path('dbs', db!) : path('dbs', db!, 'colls', container)
    request('DELETE', resource).then(() => {
      toast(`The ${kind} ${container ?? db} is deleted`)
      onClose()
      onDeleted?.()
    }, setError)
  }
  return (
    <Dialog role="alertdialog" title={`Delete ${kind}`} onClose={onClose} footer={<>
      <Button onPress={onClose} autoFocus>Cancel</Button><Button kind="danger primary" onPress={run}>Delete {kind}</Button>
    </>}>
      <p>The {kind} <strong className="break"><bdi>{container ?? db}</bdi></strong> and everything in it are deleted. This cannot be undone.</p>
      <ErrorMessage error={error} />
    </Dialog>
  )
}
