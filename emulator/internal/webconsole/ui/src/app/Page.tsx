import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { Home } from '../pages/home/Home'
import { TableList } from '../pages/tables/TableList'
import { Extension } from './Extension'
import { NotFound } from './NotFound'
import { useRoute } from './router'

const TablePage = lazy(() => import('../pages/table/TablePage'))
const PartiQLPage = lazy(() => import('../pages/partiql/PartiQLPage'))
const OperationsPage = lazy(() => import('../pages/operations/OperationsPage'))
const ModelsPage = lazy(() => import('../pages/models/ModelsPage'))
const DraftPage = lazy(() => import('../pages/models/DraftPage'))
const Databases = lazy(() => import('../pages/cosmos/Databases'))
const ContainerPage = lazy(() => import('../pages/cosmos/ContainerPage'))
const AccessPage = lazy(() => import('../pages/access/AccessPage'))
const FaultsPage = lazy(() => import('../pages/faults/FaultsPage'))
const HeatPage = lazy(() => import('../pages/heat/HeatPage'))
const MetricsPage = lazy(() => import('../pages/metrics/MetricsPage'))
const LivePage = lazy(() => import('../pages/live/LivePage'))

const SimulationsPage = lazy(() => import('../pages/simulations/SimulationsPage'))
const PushesPage = lazy(() => import('../pages/pushes/PushesPage'))
const SpecsPage = lazy(() => import('../pages/specs/SpecsPage'))
const RequirementPage = lazy(() => import('../pages/specs/RequirementPage'))
const SpecsRunPage = lazy(() => import('../pages/specs/SpecsRunPage'))
const ScenarioPage = lazy(() => import('../pages/specs/ScenarioPage'))
const LoadPage = lazy(() => import('../pages/load/LoadPage'))
const LoadRunPage = lazy(() => import('../pages/load/LoadRunPage'))
const ComparePage = lazy(() => import('../pages/load/ComparePage'))

/** Page is the page of the address. */
export function Page() {
  const route = useRoute()
  const title = titleOf(route)
  useEffect(() => {
    document.title = `${title} – Tabletop`
  }, [title])
  return <Suspense fallback={null}><Chosen route={route} /><Arrival path={route.join('/')} /></Suspense>
}

/** Arrival moves the focus to a new page, if the link or dialog that led to it is gone with the page before. */
function Arrival({ path }: { path: string }) {
  const before = useRef(path)
  useLayoutEffect(() => {
    if (path !== before.current && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
    before.current = path
  }, [path])
  return null
}

const titles: Record<string, string> = {
  live: 'Live requests', metrics: 'Metrics', heat: 'Heat', faults: 'Faults', access: 'Access', load: 'Load tests', specs: 'Specs',
  simulations: 'Simulations', pushes: 'Push messages', dynamodb: 'DynamoDB', cosmos: 'Cosmos DB', tables: 'Tables', partiql: 'PartiQL',
  operations: 'Operations', models: 'Data models',
}

/** titleOf is the title of the browser's tab: what the page shows first, as in orders – schema. */
function titleOf([first, ...rest]: string[]): string {
  if (first === undefined) return 'Home'
  if (rest.length === 0) return titles[first] ?? first
  if (first !== 'dynamodb') return rest.join(' – ')
  return rest.length === 1 ? titles[rest[0]!] ?? rest[0]! : rest.slice(1).join(' – ')
}

function Chosen({ route }: { route: string[] }) {
  const [first, second, third, fourth] = route
  if (first === undefined) return <Home />
  if (first === 'dynamodb' && (second === undefined || second === 'tables') && third === undefined) return <TableList />
  if (first === 'dynamodb' && second === 'tables' && third !== undefined && route.length <= 4) {
    return <TablePage key={third} name={third} tab={fourth ?? 'items'} />
  }
  if (first === 'dynamodb' && second === 'partiql' && third === undefined) return <PartiQLPage />
  if (first === 'dynamodb' && second === 'operations' && third === undefined) return <OperationsPage />
  if (first === 'dynamodb' && second === 'models' && third === undefined) return <ModelsPage />
  if (first === 'dynamodb' && second === 'models' && fourth === undefined) return <DraftPage key={third!} id={third!} />
  if (first === 'cosmos' && third === undefined) return <Databases {...(second !== undefined && { only: second })} />
  if (first === 'cosmos' && second !== undefined && third !== undefined && route.length <= 4) {
    return <ContainerPage key={`${second}/${third}`} database={second} name={third} tab={fourth ?? 'items'} />
  }
  if (first === 'live' && second === undefined) return <LivePage />
  if (first === 'access' && second === undefined) return <AccessPage />
  if (first === 'heat' && second === undefined) return <HeatPage />
  if (first === 'faults' && second === undefined) return <FaultsPage />
  if (first === 'metrics' && second === undefined) return <MetricsPage />
  if (first === 'load') return <Extension name="load"><Load route={route} /></Extension>
  if (first === 'simulations' && second === undefined) return <Extension name="simulations"><SimulationsPage /></Extension>
  if (first === 'pushes' && third === undefined) return <Extension name="pushes"><PushesPage key={second ?? ''} phone={second ?? ''} /></Extension>
  if (first === 'specs') return <Extension name="specs"><Specs route={route} /></Extension>
  return <NotFound />
}

function Specs({ route: [, one, run, number] }: { route: string[] }) {
  if (one === undefined) return <SpecsPage />
  if (one === 'runs' && run !== undefined) {
    if (number === undefined) return <SpecsRunPage key={run} id={run} />
    return <ScenarioPage key={`${run} ${number}`} run={run} number={number} />
  }
  return <RequirementPage key={one} id={one} />
}

function Load({ route: [, kind, one, other] }: { route: string[] }) {
  if (kind === undefined) return <LoadPage />
  if (kind === 'runs' && one !== undefined && other === undefined) return <LoadRunPage key={one} id={one} />
  if (kind === 'compare' && one !== undefined && other !== undefined) return <ComparePage key={`${one} ${other}`} runs={[one, other]} />
  return <NotFound />
}
