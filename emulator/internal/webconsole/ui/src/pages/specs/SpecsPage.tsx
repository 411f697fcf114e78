import { useEffect, useState } from 'react'
import { matrix, type Matrix, type Requirement } from '../../api/specs'
import { useResource } from '../../api/useResource'
import { Link, to } from '../../app/router'
import { Check, TextField } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { dateText, number } from '../load/texts'
import { CurrentSpecs } from './CurrentSpecs'
import { CellView, seconds } from './Outcome'
import { RunButton } from './RunButton'
import { SavedRuns } from './SavedRuns'
import { isActive } from '../../api/useCurrentRun'
import { useSpecsRun } from './useSpecsRun'

/** SpecsPage shows the requirements with their results on each target, and runs their scenarios. */
export default function SpecsPage() {
  const { data, error, reload } = useResource('specs', matrix, () => false)
  const { run, error: lost, show } = useSpecsRun()
  const [find, setFind] = useState('')
  const [hide, setHide] = useState(false)
  const busy = isActive(run)
  const all = run?.request.id === '' && !run.request.scenario && !run.request.failedOf
  useEffect(() => { if (all && !busy) reload() }, [all, busy, reload])
  const text = find.toLowerCase()
  const shown = (r: Requirement) => `${r.id} ${r.kind} ${r.says}`.toLowerCase().includes(text)
    && !(hide && r.cells.length > 0 && r.cells.every((c) => c.outcome === 'passed'))
  return (
    <>
      <div className="page-head">
        <h1>Specs</h1>
        <RunButton request={{ id: '' }} label="Run all scenarios" busy={busy} onStart={show} />
      </div>
      <ErrorMessage error={error ?? lost} />
      {run && <CurrentSpecs run={run} busy={busy} onChange={show} />}
      <SavedRuns latest={busy ? undefined : run?.started} />
      {!data && !error && <Loading what="the requirements" />}
      {data && (
        <>
          <Runs matrix={data} />
          <div className="row">
            <TextField className="grow" label="Filter" hideLabel type="search" placeholder="Requirement, kind or text" value={find} onChange={setFind} />
            <Check checked={hide} onChange={setHide}>Hide passed</Check>
          </div>
          {data.groups.map((g) => ({ ...g, rows: g.rows.filter(shown) })).filter((g) => g.rows.length > 0).map((g) => (
            <Group key={g.id} group={g} targets={data.targets.map((t) => t.name)}>
              <RunButton request={{ id: g.id }} label={`Run ${g.id}`} busy={busy} onStart={show} />
            </Group>
          ))}
        </>
      )}
    </>
  )
}

function Runs({ matrix: { targets, folder } }: { matrix: Matrix }) {
  if (targets.length === 0) return <p className="message">No results in <code className="break">{folder}</code> yet: run all scenarios here, or run tabletop features.</p>
  return (
    <dl className="properties">
      {targets.map((t) => <Fact key={t.name} name={t.name} text={`${number(t.scenarios)} scenarios in ${seconds(t.elapsed_ns)}, ${dateText(t.started)} UTC, version ${t.version}`} />)}
    </dl>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return <><dt><bdi>{name}</bdi></dt><dd><bdi className="break">{text}</bdi></dd></>
}

function Group({ group, targets, children }: { group: Matrix['groups'][number]; targets: string[]; children: React.ReactNode }) {
  const id = `specs-${group.id}`
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head"><h2 id={id}>{group.name}</h2>{children}</div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={group.name}>
        <table className="table cards">
          <thead><tr><th scope="col">Requirement</th><th scope="col">Kind</th><th scope="col" className="wide">Text</th>{targets.map((t) => <th key={t} scope="col"><bdi>{t}</bdi></th>)}</tr></thead>
          <tbody>
            {group.rows.map((r) => (
              <tr key={r.id}>
                <td className="nowrap"><Link href={to('specs', r.id)}>{r.id}</Link></td>
                <td data-label="Kind">{r.kind}</td>
                <td className="break whole">{r.says}</td>
                {r.cells.map((c, i) => <td key={i} className="nowrap" data-label={targets[i]}>{r.byLoad ? <Link href="/load">by load profiles</Link> : <CellView cell={c} />}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
