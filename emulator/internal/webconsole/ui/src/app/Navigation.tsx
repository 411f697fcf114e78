import { account } from '../api/cosmos'
import { listTables } from '../api/dynamodb'
import { concernsCloud, useResource } from '../api/useResource'
import { Icon, type IconName } from '../widgets/Icon'
import { extensionPages, missingText } from './extensions'
import icon from './icon.svg'
import { Link, to, useRoute } from './router'
import { useEmulator } from './session'

/** Navigation lists the pages, the tables and the containers. */
export function Navigation() {
  const route = useRoute()
  const { overview } = useEmulator()
  return (
    <nav className="nav" aria-label="Console">
      <Link className="brand" href="/"><img src={icon} alt="" />Tabletop</Link>
      <ul className="nav-list">
        <Entry href="/" icon="home" label="Home" current={route.length === 0} />
        <Entry href="/live" icon="live" label="Live requests" current={route[0] === 'live'} />
        <Entry href="/metrics" icon="plot" label="Metrics" current={route[0] === 'metrics'} />
        <Entry href="/heat" icon="heat" label="Heat" current={route[0] === 'heat'} />
        <Entry href="/faults" icon="fault" label="Faults" current={route[0] === 'faults'} />
        <Entry href="/access" icon="access" label="Access" current={route[0] === 'access'} />
      </ul>
      <Extensions current={route[0]} />
      <h2>DynamoDB</h2>
      <ul className="nav-list">
        <Entry href="/dynamodb/tables" icon="table" label="Tables" current={route[1] === 'tables' && route.length === 2} />
        <Tables selected={route[1] === 'tables' ? route[2] : undefined} />
        <Entry href="/dynamodb/partiql" icon="code" label="PartiQL" current={route[1] === 'partiql'} />
        <Entry href="/dynamodb/operations" icon="play" label="Operations" current={route[1] === 'operations'} />
        <Entry href="/dynamodb/models" icon="list" label="Data models" current={route[0] === 'dynamodb' && route[1] === 'models'} />
      </ul>
      {overview.cosmos && (
        <>
          <h2>Cosmos DB</h2>
          <ul className="nav-list">
            <Entry href="/cosmos" icon="database" label="Databases" current={route[0] === 'cosmos' && route.length === 1} />
            <Containers selected={route[0] === 'cosmos' ? route.slice(1, 3) : []} />
          </ul>
        </>
      )}
    </nav>
  )
}

/** Extensions lists the pages that the emulator has because of the command that runs it. */
function Extensions({ current }: { current: string | undefined }) {
  const { extensions } = useEmulator().overview
  const missing = missingText(extensions)
  return (
    <>
      <h2>Tests</h2>
      <ul className="nav-list">
        {extensionPages.filter((p) => extensions.includes(p.name)).map((p) => (
          <Entry key={p.name} href={to(p.name)} icon={p.icon} label={p.label} current={p.name === current} />
        ))}
      </ul>
      {missing && <p className="nav-hint">{missing}</p>}
    </>
  )
}

function Entry({ href, icon, label, current }: { href: string; icon?: IconName; label: string; current: boolean }) {
  return (
    <li>
      <Link href={href} title={label} {...(current && { 'aria-current': 'page' as const })}>
        {icon && <Icon name={icon} />}
        <span><bdi>{label}</bdi></span>
      </Link>
    </li>
  )
}

function Tables({ selected }: { selected: string | undefined }) {
  const { data } = useResource('tables', listTables, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  if (!data?.length) return null
  return (
    <li>
      <ul className="nested">
        {data.map((name) => (
          <Entry key={name} href={to('dynamodb', 'tables', name)} label={name} current={name === selected} />
        ))}
      </ul>
    </li>
  )
}

function Containers({ selected: [db, container] }: { selected: string[] }) {
  const { data } = useResource('account', account, (c) => concernsCloud('cosmos')(c) && c.kind === 'schema')
  if (!data?.length) return null
  return (
    <li>
      <ul className="nested">
        {data.map(({ database, containers }) => (
          <li key={database.id}>
            <ul>
              <Entry href={to('cosmos', database.id)} label={database.id} current={database.id === db && !container} />
              <li>
                <ul className="nested">
                  {containers.map(({ container: c }) => (
                    <Entry key={c.id} href={to('cosmos', database.id, c.id)} label={c.id}
                      current={database.id === db && c.id === container} />
                  ))}
                </ul>
              </li>
            </ul>
          </li>
        ))}
      </ul>
    </li>
  )
}
