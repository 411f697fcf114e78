import { useState } from 'react'
import { addFault, clearFaults, info, removeFault, type Fault, type Rule } from '../../api/admin'
import { useResource } from '../../api/useResource'
import { Button } from '../../widgets/Button'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { AddFault } from './AddFault'
import { presets } from './presets'
import { reloadFaults, useFaults } from './useFaults'

/** FaultsPage lists the faults, switches presets, and adds and removes others. */
export default function FaultsPage() {
  const { data, error } = useFaults()
  const [failure, setFailure] = useState<Error>()
  const [adding, setAdding] = useState(false)
  const run = (action: () => Promise<unknown>) => () => {
    action().then(() => setFailure(undefined), setFailure).finally(() => void reloadFaults())
  }
  const others = data?.filter((f) => !presets.some((p) => p.rule.name === f.name)) ?? []
  return (
    <>
      <div className="page-head">
        <h1>Faults</h1>
        <div className="row">
          <Button icon="plus" kind="primary" onPress={() => setAdding(true)}>Add fault</Button>
          <Button icon="trash" isDisabled={!data?.length} onPress={run(clearFaults)}>Clear all</Button>
        </div>
      </div>
      <ErrorMessage error={failure ?? error} />
      {!data && !error && <Loading what="the faults" />}
      <div className="columns">
        <section className="panel" aria-labelledby="presets">
          <div className="panel-head"><h2 id="presets">Presets</h2><span className="muted small">of both services</span></div>
          <ul className="panel-body stack tight">
            {presets.map(({ label, rule }) => {
              const fault = data?.find((f) => f.name === rule.name)
              return (
                <li key={rule.name} className="row spread">
                  <label className="check switch">
                    <input type="checkbox" role="switch" checked={fault !== undefined} disabled={!data}
                      onChange={run(() => (fault ? removeFault(rule.name) : addFault(rule)))} />
                    <span>{label}</span>
                  </label>
                  {fault && <span className="muted small">{fault.hits.toLocaleString('en-US')} hits</span>}
                </li>
              )
            })}
          </ul>
        </section>
        <Behaviours />
      </div>
      <section className="panel" aria-labelledby="others">
        <div className="panel-head"><h2 id="others">Other faults</h2></div>
        {others.length === 0 ? <div className="empty">No other faults are set</div> : (
          <FaultTable faults={others} onRemove={(name) => run(() => removeFault(name))()} />
        )}
      </section>
      {adding && <AddFault onClose={() => { setAdding(false); void reloadFaults() }} />}
    </>
  )
}

function FaultTable({ faults, onRemove }: { faults: Fault[]; onRemove: (name: string) => void }) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Other faults">
      <table className="table cards">
        <thead><tr>
          <th scope="col">Name</th><th scope="col">Does</th><th scope="col">To</th><th scope="col">How often</th>
          <th scope="col" className="number">Matched</th><th scope="col" className="number">Hits</th><th scope="col" className="number">Waiting</th>
          <th scope="col"><span className="visually-hidden">Actions</span></th>
        </tr></thead>
        <tbody>{faults.map((f) => (
          <tr key={f.name}>
            <td className="break name">{f.name} {f.ended && <span className="badge">ended</span>}</td>
            <td data-label="Does"><code>{f.do}</code> {f.latency && <span className="muted">{f.latency}{f.latencyP99 && `, p99 ${f.latencyP99}`}</span>}</td>
            <td className="break" data-label="To">{matchOf(f)}</td>
            <td data-label="How often">{frequencyOf(f)}</td>
            <td className="number" data-label="Matched">{f.matched.toLocaleString('en-US')}</td>
            <td className="number" data-label="Hits">{f.hits.toLocaleString('en-US')}</td>
            <td className="number" data-label="Waiting">{f.waiting.toLocaleString('en-US')}</td>
            <td className="actions"><Button small kind="quiet" icon="trash" aria-label={`Remove ${f.name}`} onPress={() => onRemove(f.name)} /></td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  )
}

function matchOf(f: Rule): string {
  const key = [f.partitionKey, f.sortKey].filter(Boolean).join(', ')
  return [f.operations?.join(', ') ?? 'all operations', f.tables && `on ${f.tables.join(', ')}`, key && `of item ${key}`,
    f.identities && `by ${f.identities.join(', ')}`].filter(Boolean).join(' ')
}

function frequencyOf(f: Rule): string {
  const parts = [f.skip && `after ${f.skip}`, f.every && f.every > 1 && `1 in ${f.every}`, f.probability && f.probability < 1 && `${+(f.probability * 100).toPrecision(3)}%`,
    f.times && `at most ${f.times}`, f.for && `for ${f.for}`, f.from && `from ${f.from}`, f.until && `until ${f.until}`].filter(Boolean)
  return parts.join(', ') || 'always'
}

const behaviours = [
  { name: 'throttling', text: 'capacity, burst and partition limits' }, { name: 'lag', text: 'eventually consistent reads and indexes' },
  { name: 'conflicts', text: 'concurrent requests for one item' }, { name: 'states', text: 'tables take time to change' },
]

/** Behaviours shows which behaviours of the cloud the emulator was started with. */
function Behaviours() {
  const { data, error } = useResource('info', info, () => false)
  const enabled = data?.behaviour.replace(/^like the cloud:?/, '').split(/[ ,]+/) ?? []
  return (
    <section className="panel" aria-labelledby="behaviours">
      <div className="panel-head"><h2 id="behaviours">Cloud behaviours</h2>{data && <span className="badge">{data.behaviour}</span>}</div>
      <div className="panel-body stack tight">
        <ErrorMessage error={error} />
        {data && behaviours.map(({ name, text }) => (
          <div key={name} className="row spread" style={{ flexWrap: 'nowrap' }}>
            <span><strong>{name}</strong> <span className="muted">{text}</span></span>
            {enabled.includes(name) || data.behaviour === 'like the cloud' ? <span className="badge ok">on</span> : <span className="badge">off</span>}
          </div>
        ))}
        <p className="muted small">Set them when you start the emulator, with <code className="nowrap">--like-cloud=throttling,lag</code>.</p>
      </div>
    </section>
  )
}
