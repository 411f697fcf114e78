import { useEffect, useMemo, useRef, useState } from 'react'
import { tail, type Seen } from '../../api/requests'
import { cut } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import { Check, Select, TextField } from '../../widgets/Field'
import { comparable, useLastRun } from '../../runs/lastRun'
import { toast } from '../../widgets/Toasts'
import { RecordingDialog } from './RecordingDialog'
import { RequestView, unitsOf } from './RequestView'
import { RunComparison } from './RunComparison'

/** The most requests that are kept; older ones are forgotten. */
const kept = 2000
/** The most requests that are shown at once. */
const shownAtOnce = 300

type Outcome = 'all' | 'ok' | 'failed'

/** LivePage is the tail of requests to both clouds, newest first. */
export default function LivePage() {
  const { seen, lost, connected, paused, setPaused, clear } = useTail()
  const [find, setFind] = useState('')
  const [cloud, setCloud] = useState<'' | Seen['cloud']>('')
  const [outcome, setOutcome] = useState<Outcome>('all')
  const [own, setOwn] = useState(false)
  const [open, setOpen] = useState<Seen>()
  const [lastRun, keepRun] = useLastRun()
  const [compared, setCompared] = useState<Seen[]>()
  const shown = useMemo(() => seen.filter((s) => matches(s, find, cloud, outcome, own)), [seen, find, cloud, outcome, own])
  const [recording, setRecording] = useState(false)
  const keep = (requests: Seen[], recorded: boolean) => {
    keepRun({ requests, recorded })
    clear()
    toast(`${requests.length.toLocaleString('en-US')} ${requests.length === 1 ? 'request is' : 'requests are'} the last run now: run your client again, and compare`)
  }
  const keepRecorded = (requests: Seen[]) => {
    const found = requests.filter((s) => matches(s, find, cloud, outcome, own))
    if (found.length === 0) throw new Error(requests.length === 0 ? 'The recording has no requests of clients' : 'The recording has no requests that the filters show')
    keep(found, true)
  }
  return (
    <>
      <div className="page-head">
        <h1>Live requests</h1>
        <div className="row">
          {lastRun && <Button icon="list" isDisabled={shown.length === 0} onPress={() => setCompared(comparable(shown.toReversed(), lastRun))}>Compare with the last run</Button>}
          <Button isDisabled={shown.length === 0} onPress={() => keep(shown.toReversed(), false)}>Keep as last run</Button>
          <Button onPress={() => setRecording(true)}>Recording</Button>
          <Button icon={paused ? 'play' : 'pause'} onPress={() => setPaused(!paused)}>{paused ? 'Continue' : 'Pause'}</Button>
          <Button icon="trash" onPress={clear}>Clear</Button>
        </div>
      </div>
      <section className="panel" aria-label="Requests">
        <div className="panel-head">
          <div className="row top grow">
            <TextField className="grow" label="Filter" hideLabel type="search" placeholder="Operation, table, error, user or body" value={find} onChange={setFind} />
            <Select label="Service" hideLabel value={cloud} onChange={setCloud} options={[
              { value: '', label: 'Both services' }, { value: 'dynamodb', label: 'DynamoDB' }, { value: 'cosmos', label: 'Cosmos DB' },
            ]} />
            <Select label="Outcome" hideLabel value={outcome} onChange={setOutcome} options={[
              { value: 'all', label: 'All outcomes' }, { value: 'ok', label: 'Succeeded' }, { value: 'failed', label: 'Failed' },
            ]} />
            <Check checked={own} onChange={setOwn}>Include the console’s own</Check>
          </div>
        </div>
        {shown.length === 0 ? (
          <NoRequests connected={connected} filtered={seen.some((s) => own || !s.console)} />
        ) : <RequestTable requests={shown.slice(0, shownAtOnce)} onOpen={setOpen} />}
        <div className="status-line" role="status">
          <span><strong>{shown.length.toLocaleString('en-US')}</strong> requests</span>
          {shown.length > shownAtOnce && <span>The last {shownAtOnce} are shown</span>}
          {lost > 0 && <span className="badge warn">{lost.toLocaleString('en-US')} came too fast and are not here</span>}
          {!connected && seen.length > 0 && <span className="badge warn">Not connected: requests are missed</span>}
          {paused && <span className="badge">Paused</span>}
        </div>
      </section>
      {compared && lastRun && <RunComparison before={lastRun.requests} after={compared} onClose={() => setCompared(undefined)} />}
      {recording && <RecordingDialog onUse={keepRecorded} onClose={() => setRecording(false)} />}
      {open && <RequestView seen={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** NoRequests says why no request is shown. */
function NoRequests({ connected, filtered }: { connected: boolean; filtered: boolean }) {
  if (filtered) return <div className="empty"><h2>No matching requests</h2><p>The filters hide every request so far.</p></div>
  return <div className="empty"><h2>{connected ? 'Waiting for requests' : 'Connecting'}</h2><p>Requests of any client appear here as they end.</p></div>
}

function matches(s: Seen, find: string, cloud: string, outcome: Outcome, own: boolean): boolean {
  if (s.console && !own) return false
  if (cloud && s.cloud !== cloud) return false
  if (outcome !== 'all' && (s.status < 400) !== (outcome === 'ok')) return false
  const text = [s.operation, ...(s.target ?? []), s.error, s.user, s.client, String(s.status), s.request, s.response].join('\n').toLowerCase()
  return find === '' || text.includes(find.toLowerCase())
}

/** useTail collects requests, and shows new ones at most four times a second. */
function useTail() {
  const [seen, setSeen] = useState<Seen[]>([])
  const [lost, setLost] = useState(0)
  const [connected, setConnected] = useState(false)
  const [paused, setPaused] = useState(false)
  const waiting = useRef<Seen[]>([])
  const stopped = useRef(paused)
  stopped.current = paused

  useEffect(() => {
    const stop = tail({
      request: (s) => {
        waiting.current.push(s)
        if (waiting.current.length > kept) waiting.current.shift()
      },
      lost: (n) => setLost((total) => total + n),
      connection: setConnected,
    })
    const timer = setInterval(() => {
      if (stopped.current || waiting.current.length === 0) return
      const fresh = waiting.current.splice(0).reverse()
      setSeen((before) => [...fresh, ...before].slice(0, kept))
    }, 250)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [])
  const clear = () => {
    waiting.current = []
    setSeen([])
    setLost(0)
  }
  return { seen, lost, connected, paused, setPaused, clear }
}

function RequestTable({ requests, onOpen }: { requests: Seen[]; onOpen: (seen: Seen) => void }) {
  return (
    <div className="table-wrap" style={{ maxHeight: '70vh' }} tabIndex={0} role="region" aria-label="Requests">
      <table className="table grid">
        <thead><tr>
          <th scope="col">Time</th><th scope="col">Operation</th><th scope="col">Target</th><th scope="col">Status</th>
          <th scope="col" className="number">ms</th><th scope="col" className="number">Units</th><th scope="col">User</th><th scope="col">Client</th>
        </tr></thead>
        <tbody>
          {requests.map((s) => (
            <tr key={s.id}>
              <td>{s.time.slice(11, 23)}</td>
              <td><button type="button" className="key-button" onClick={() => onOpen(s)}>{s.operation || 'no operation'}</button></td>
              <td><bdi>{(s.target ?? []).join(', ')}</bdi></td>
              <td>{s.status < 400 ? <span className="badge ok">{s.status}</span> : <><span className="badge bad">{s.status}</span> {s.error}</>}</td>
              <td className="number">{s.durationMs.toLocaleString('en-US', { maximumFractionDigits: 1 })}</td>
              <td className="number">{unitsOf(s)}</td>
              <td><bdi>{s.user}</bdi></td>
              <td title={s.client}><bdi>{cut(s.client ?? '', 24)}</bdi></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
