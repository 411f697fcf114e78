import { useEffect, useState } from 'react'
import { onConnection } from '../api/events'
import { Button } from '../widgets/Button'
import { Dialog } from '../widgets/Dialog'
import { Menu } from '../widgets/Menu'
import { Select } from '../widgets/Field'
import { ClockBar } from './ClockBar'
import { FaultBadge } from './FaultBadge'
import { Navigation } from './Navigation'
import { Page } from './Page'
import { ScopeSelect } from './ScopeSelect'
import { useRoute } from './router'
import { useEmulator } from './session'
import { setTheme, theme, type Theme } from './theme'

/** Shell is what every page stands in. */
export function Shell() {
  const { overview: { dynamodb }, session, region, setScope, signOut } = useEmulator()
  const [open, setOpen] = useState(false)
  const route = useRoute().join('/')
  useEffect(() => setOpen(false), [route])
  return (
    <div className="shell">
      <a href="#main" className="visually-hidden">Skip to the page</a>
      <Navigation />
      <header className="topbar">
        <span className="menu-button"><Button kind="quiet" icon="menu" aria-label="Menu" onPress={() => setOpen(true)} /></span>
        <ClockBar />
        <span className="grow" />
        {dynamodb.regions.length > 1 && !dynamodb.isolated && (
          <Select label="Region" hideLabel value={region} options={dynamodb.regions}
            onChange={(name) => setScope({ ...dynamodb, region: name })} />
        )}
        {dynamodb.isolated && !session.identities && <ScopeSelect />}
        {session.user && (
          <span className="user"><Menu label={session.user} actions={[{ id: 'out', label: 'Sign out', run: signOut }]} small /></span>
        )}
        <FaultBadge />
        <ThemeButton />
      </header>
      <div style={{ minWidth: 0 }}>
        <Offline />
        <main id="main" className="main" tabIndex={-1} style={{ outline: 'none' }}><Page /></main>
      </div>
      {open && <Dialog title="Menu" place="side left" onClose={() => setOpen(false)}><Navigation /></Dialog>}
    </div>
  )
}

function ThemeButton() {
  const [current, setCurrent] = useState(theme())
  const choose = (next: Theme) => () => {
    setTheme(next)
    setCurrent(next)
  }
  const mark = (t: Theme) => (t === current ? ' ✓' : '')
  return (
    <Menu label="Theme" iconOnly icon={current === 'dark' ? 'moon' : current === 'light' ? 'sun' : 'screen'} actions={[
      { id: 'system', label: `System${mark('system')}`, run: choose('system') },
      { id: 'light', label: `Light${mark('light')}`, run: choose('light') },
      { id: 'dark', label: `Dark${mark('dark')}`, run: choose('dark') },
    ]} />
  )
}

function Offline() {
  const [connected, setConnected] = useState(true)
  useEffect(() => onConnection(setConnected), [])
  return connected ? null : (
    <div className="offline" role="alert">The connection to the emulator is lost. This page continues when it is back.</div>
  )
}
