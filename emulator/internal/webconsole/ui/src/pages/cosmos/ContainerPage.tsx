import { lazy, Suspense, useState } from 'react'
import { container, request, path, type Container } from '../../api/cosmos'
import { useResource } from '../../api/useResource'
import { Problem } from '../../api/http'
import { NotFound } from '../../app/NotFound'
import { PageTabs } from '../../app/PageTabs'
import { Link, navigate, to } from '../../app/router'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { DeleteAll, emptyContainer } from '../editor/DeleteAll'
import { CosmosItems } from './CosmosItems'
import { DeleteResource } from './Databases'
import { MissingContainer } from './Missing'
import { Scripts } from './Scripts'
import { Settings } from './Settings'

const ImportDialog = lazy(() => import('../import/ImportDialog'))
const CloneDialog = lazy(() => import('../clone/CloneDialog'))
const ContainerDesign = lazy(() => import('../design/ContainerDesign'))
const ContainerFeed = lazy(() => import('../feed/ContainerFeed'))
const ContainerHistory = lazy(() => import('../history/ContainerHistory'))
const ContainerMetrics = lazy(() => import('../metrics/ContainerMetrics'))

const tabs: Record<string, string> = { items: 'Items', design: 'Design', history: 'History', scripts: 'Scripts', settings: 'Settings', changes: 'Changes', metrics: 'Metrics' }

/** ContainerPage is one container: its items, design, history, scripts, settings, changes or metrics. */
export default function ContainerPage({ database, name, tab }: { database: string; name: string; tab: string }) {
  const resource = useResource(`container ${database}/${name}`, () => container(database, name), (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  const [deleting, setDeleting] = useState(false)
  const [emptying, setEmptying] = useState(false)
  const [importing, setImporting] = useState(false)
  const [cloning, setCloning] = useState(false)
  const save = async (changed: Container) => {
    await request('PUT', path('dbs', database, 'colls', name), { 'If-Match': changed._etag }, JSON.stringify(changed))
    resource.reload()
  }
  if (!(tab in tabs)) return <NotFound />
  if (resource.error instanceof Problem && resource.error.status === 404) return <MissingContainer database={database} name={name} />
  return (
    <>
      <div className="page-head">
        <div>
          <div className="crumbs"><Link href="/cosmos">Databases</Link> / <Link href={to('cosmos', database)}><bdi>{database}</bdi></Link> /</div>
          <h1><bdi>{name}</bdi></h1>
        </div>
        <Menu label="Actions" icon="down" actions={[
          { id: 'import', label: 'Import a file…', run: () => setImporting(true) },
          { id: 'clone', label: 'Clone container…', run: () => setCloning(true) },
          { id: 'empty', label: 'Delete all items…', run: () => setEmptying(true) },
          { id: 'delete', label: 'Delete container…', run: () => setDeleting(true) },
        ]} />
      </div>
      <PageTabs label="Container" tabs={tabs} current={tab} href={(t) => to('cosmos', database, name, ...(t === 'items' ? [] : [t]))} />
      <ErrorMessage error={resource.error} />
      {resource.loading && <Loading what="the container" />}
      {resource.data && tab === 'items' && <CosmosItems database={database} container={resource.data.container} />}
      {resource.data && tab === 'design' && (
        <Suspense fallback={<Loading what="the design" />}>
          <ContainerDesign database={database} container={resource.data.container} total={resource.data.usage.items} />
        </Suspense>
      )}
      {resource.data && tab === 'history' && (
        <Suspense fallback={<Loading what="the history" />}><ContainerHistory database={database} container={resource.data.container} /></Suspense>
      )}
      {resource.data && tab === 'scripts' && <Scripts database={database} container={name} />}
      {resource.data && tab === 'settings' && <Settings key={resource.data.container._etag} database={database} container={resource.data.container} onSave={save} />}
      {resource.data && tab === 'changes' && (
        <Suspense fallback={null}><ContainerFeed database={database} container={resource.data.container} /></Suspense>
      )}
      {resource.data && tab === 'metrics' && (
        <Suspense fallback={null}><ContainerMetrics database={database} name={name} rid={resource.data.container._rid} /></Suspense>
      )}
      {importing && <Suspense fallback={null}><ImportDialog target={{ database, container: name }} onClose={() => setImporting(false)} /></Suspense>}
      {cloning && resource.data && (
        <Suspense fallback={null}><CloneDialog of={{ database, container: name }} items={resource.data.usage.items} onClose={() => setCloning(false)} /></Suspense>
      )}
      {emptying && resource.data && (
        <DeleteAll name={name} remove={(progress) => emptyContainer(database, resource.data!.container, progress)} onClose={() => setEmptying(false)} />
      )}
      {deleting && <DeleteResource names={[database, name]} onClose={() => setDeleting(false)} onDeleted={() => navigate('/cosmos')} />}
    </>
  )
}
