import { useState } from 'react'
import { ranScenario, type Exchange, type Scenario } from '../../api/specs'
import { useResource } from '../../api/useResource'
import { isActive } from '../../api/useCurrentRun'
import { Link, navigate, to } from '../../app/router'
import { pretty } from '../../values/pretty'
import { Code } from '../../widgets/Copy'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { OutcomeBadge, runTime, seconds } from './Outcome'
import { Steps } from './RequirementPage'
import { RunButton } from './RunButton'
import { useSpecsRun } from './useSpecsRun'

const services: Record<Exchange['service'], string> = { api: 'Backend', dynamodb: 'DynamoDB', cosmos: 'Cosmos DB' }

/** ScenarioPage is a scenario of a run, with the requests and responses of each step. */
export default function ScenarioPage({ run, number }: { run: string; number: string }) {
  const { run: latest } = useSpecsRun()
  const { data, error } = useResource(`scenario ${run} ${number}`, () => ranScenario(run, number), () => false)
  return (
    <>
      <div className="page-head">
        <div><div className="crumbs"><Link href="/specs">Specs</Link> / <Link href={to('specs', 'runs', run)}>Run of {runTime(run)}</Link> /</div><h1>{data?.name ?? `Scenario ${number}`}</h1></div>
        {data && <RunButton request={requestOf(data)} label="Run this scenario" busy={isActive(latest)} onStart={(next) => navigate(to('specs', 'runs', next.id))} />}
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="the scenario" />}
      {data && <Details scenario={data} />}
    </>
  )
}

const requestOf = ({ ids, system, file, name }: Scenario) => ({ id: ids[0] ?? '', scenario: { system, file, name } })

function Details({ scenario: s }: { scenario: Scenario }) {
  const trace = s.trace ?? []
  const before = trace.filter((e) => e.step < 0)
  return (
    <>
      <div className="row">
        <OutcomeBadge outcome={s.outcome} /> <span>{seconds(s.elapsed_ns)}</span>
        {s.ids.map((id) => <Link key={id} href={to('specs', id.split('.')[0]!)}>{id}</Link>)}
        <span className="muted small break">features/{s.system}/{s.file}:{s.line}</span>
      </div>
      {s.reason && <p className={`message ${s.outcome === 'failed' ? 'error' : 'warning'}`}>{s.reason}</p>}
      {trace.length === 0 && <p className="muted">No requests were kept: run this scenario to see them.</p>}
      {s.trace_dropped && <p className="message warning">{s.trace_dropped} further requests were not kept.</p>}
      {before.length > 0 && <section className="panel"><details className="panel-body"><summary>Before the first step: {before.length} requests</summary><Exchanges exchanges={before} /></details></section>}
      <section className="panel" aria-label="Steps">
        <div className="panel-body">
          <Steps steps={s.steps}>{(i) => <Exchanges exchanges={trace.filter((e) => e.step === i)} />}</Steps>
        </div>
      </section>
    </>
  )
}

function Exchanges({ exchanges }: { exchanges: readonly Exchange[] }) {
  if (exchanges.length === 0) return null
  return <ul className="exchanges">{exchanges.map((e, i) => <li key={i}><ExchangeView exchange={e} /></li>)}</ul>
}

function ExchangeView({ exchange: e }: { exchange: Exchange }) {
  const [open, setOpen] = useState(false)
  const failed = e.status === 0 || e.status >= 400
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="badge">{services[e.service]}</span> <bdi className="mono break">{e.operation}</bdi>{' '}
        <span className={`badge ${failed ? 'bad' : 'ok'}`}>{e.status || 'no response'}</span> <span className="muted small">{seconds(e.elapsed_ns)}</span>
      </summary>
      {open && (
        <div className="stack tight">
          {e.error && <p className="message warning">{e.error}</p>}
          {e.truncated && <p className="message warning">The bodies are longer than what is kept of them.</p>}
          {e.request && <><h3>Request</h3><Code label="Request" text={pretty(e.request)} /></>}
          {e.response && <><h3>Response</h3><Code label="Response" text={pretty(e.response)} /></>}
          {!e.request && !e.response && <p className="muted">Neither had a body.</p>}
        </div>
      )}
    </details>
  )
}
