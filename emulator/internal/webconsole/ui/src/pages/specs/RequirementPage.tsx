import { useState } from 'react'
import { requirement, type RequirementDetails, type ScenarioName, type SpecsRun, type Step } from '../../api/specs'
import { useResource } from '../../api/useResource'
import { Link, to } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { jobTexts } from '../load/texts'
import { CurrentSpecs } from './CurrentSpecs'
import { CellView, OutcomeBadge, seconds } from './Outcome'
import { RunButton } from './RunButton'
import { isActive } from '../../api/useCurrentRun'
import { useSpecsRun } from './useSpecsRun'

/** RequirementPage is a requirement with its clauses and scenarios, which it runs with their requests and responses. */
export default function RequirementPage({ id }: { id: string }) {
  const { data, error } = useResource(`requirement ${id}`, () => requirement(id), () => false)
  const { run, error: lost, show } = useSpecsRun()
  const mine = run && (run.request.id === id || run.request.id.startsWith(`${id}.`)) ? run : undefined
  return (
    <>
      <div className="page-head">
        <div><div className="crumbs"><Link href="/specs">Specs</Link> /</div><h1>{id}</h1></div>
        {data && !data.byLoad && <RunButton primary request={{ id }} label="Run with requests" busy={isActive(run)} onStart={show} />}
      </div>
      <ErrorMessage error={error ?? lost} />
      {!data && !error && <Loading what="the requirement" />}
      {data && <p className="break">{data.says} <span className="muted">({data.system}, {data.kind})</span></p>}
      {data?.byLoad && <p className="message">Load profiles verify this requirement: <Link href="/load">run them</Link>.</p>}
      {data && !data.byLoad && data.targets.length === 0 && !mine && <p className="message">No saved results yet: run it here. A run of all scenarios, or of tabletop features, saves its results.</p>}
      {mine && <CurrentSpecs run={mine} busy={isActive(run)} onChange={show} />}
      {data && data.clauses.length > 0 && <Clauses requirement={data} busy={isActive(run)} onStart={show} />}
      {data && data.scenarios.length > 0 && <Scenarios requirement={data} run={run} onStart={show} />}
    </>
  )
}

function Clauses({ requirement: r, busy, onStart }: { requirement: RequirementDetails; busy: boolean; onStart: (run: SpecsRun) => void }) {
  return (
    <section className="panel" aria-labelledby="clauses">
      <div className="panel-head"><h2 id="clauses">Clauses</h2></div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Clauses">
        <table className="table cards">
          <thead><tr><th scope="col">Clause</th><th scope="col" className="wide">Text</th>{r.targets.map((t) => <th key={t} scope="col"><bdi>{t}</bdi></th>)}<th scope="col"><span className="visually-hidden">Actions</span></th></tr></thead>
          <tbody>
            {r.clauses.map((c) => (
              <tr key={c.id}>
                <td className="nowrap name">{c.id}</td><td className="break whole">{c.says}</td>
                {c.cells.map((cell, i) => <td key={i} className="nowrap" data-label={r.targets[i]}><CellView cell={cell} /></td>)}
                <td className="actions"><RunButton small request={{ id: c.id }} label={`Run ${c.id}`} busy={busy} onStart={onStart} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Scenarios({ requirement: r, run, onStart }: { requirement: RequirementDetails; run: SpecsRun | undefined; onStart: (run: SpecsRun) => void }) {
  return (
    <section className="panel" aria-labelledby="scenarios">
      <div className="panel-head"><h2 id="scenarios">Scenarios</h2></div>
      <ul className="panel-body stack">
        {r.scenarios.map((s) => (
          <ScenarioItem key={`${s.file} ${s.name}`} scenario={s} targets={r.targets}>
            <ScenarioRun id={r.id} scenario={s} run={run} onStart={onStart} />
          </ScenarioItem>
        ))}
      </ul>
    </section>
  )
}

/** ScenarioRun runs one scenario, and shows its progress and how it ended. */
function ScenarioRun({ id, scenario: { system, file, name }, run, onStart }: {
  id: string; scenario: ScenarioName; run: SpecsRun | undefined; onStart: (run: SpecsRun) => void
}) {
  const asked = run?.request.scenario
  const mine = run && asked?.system === system && asked.file === file && asked.name === name ? run : undefined
  return (
    <div className="row">
      <RunButton request={{ id, scenario: { system, file, name } }} small label="Run this scenario" of={name} busy={isActive(run)} onStart={onStart} />
      {mine && <span className="muted small">{jobTexts[mine.state]}</span>}
      {mine?.scenarios.map((s) => <span key={s.number}><OutcomeBadge outcome={s.outcome} /> <Link href={to('specs', 'runs', mine.id, String(s.number))}>See its requests</Link></span>)}
    </div>
  )
}

function ScenarioItem({ scenario: s, targets, children }: {
  scenario: RequirementDetails['scenarios'][number]; targets: string[]; children: React.ReactNode
}) {
  const [open, setOpen] = useState(s.outcome === 'failed')
  return (
    <li className="stack tight">
      <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary><strong className="break">{s.name}</strong></summary>
        <p className="muted small">features/{s.system}/{s.file}:{s.line}</p>
        <ul className="stack tight">
          {s.results.map((result, i) => (
            <li key={targets[i]}>
              <bdi>{targets[i]}</bdi> <OutcomeBadge outcome={result?.outcome ?? 'not run'} /> {result && seconds(result.elapsed_ns)}
              {result?.reason && <div className="break">{result.reason}</div>}
            </li>
          ))}
        </ul>
        {open && <Steps steps={s.steps} notRun={s.outcome === 'not run'} />}
      </details>
      {children}
    </li>
  )
}

/** Steps are a scenario's steps, each with its status unless none was run, and what belongs to it. */
export function Steps({ steps, notRun, children }: { steps: readonly Step[]; notRun?: boolean; children?: (index: number) => React.ReactNode }) {
  return (
    <ol className="steps">
      {steps.map((s, i) => (
        <li key={i}>
          <div className="break">
            <strong>{s.keyword}</strong> {s.text} {!notRun && s.status !== 'passed' && <span className={`badge ${s.status === 'skipped' ? '' : 'bad'}`}>{s.status}</span>}
          </div>
          {s.detail && <pre className="code" tabIndex={0}>{s.detail}</pre>}
          {children?.(i)}
        </li>
      ))}
    </ol>
  )
}
