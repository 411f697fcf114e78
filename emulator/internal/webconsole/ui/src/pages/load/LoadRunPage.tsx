import { report, type Report, type VerdictState } from '../../api/load'
import { useResource } from '../../api/useResource'
import { Link, navigate } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { LoadPlots } from './LoadPlots'
import { RunAgain } from './RunAgain'
import { dateText, duration, number, verdictOf } from './texts'
import { VerdictBadge } from './Verdict'

/** LoadRunPage is the report of one run. */
export default function LoadRunPage({ id }: { id: string }) {
  const { data, error } = useResource(`load run ${id}`, () => report(id), () => false)
  return (
    <>
      <div className="page-head">
        <div>
          <div className="crumbs"><Link href="/load">Load tests</Link> /</div>
          <h1>{data ? `${data.profile.id}: ${data.profile.title}` : id}</h1>
        </div>
        {data?.request && <RunAgain request={data.request} onStart={() => navigate('/load')} />}
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="the report" />}
      {data && <><Overall report={data} /><Facts report={data} /><Verdicts report={data} /><LoadPlots started={data.started} series={data.series} /><Kinds report={data} /></>}
    </>
  )
}

/** Overall is what the limits say together. */
function Overall({ report: { verdicts } }: { report: Report }) {
  if (verdicts.length === 0) return null
  const count = (state: VerdictState) => verdicts.filter((v) => v.state === state).length
  const [passed, failed, notMeasured] = [count('pass'), count('fail'), count('not measured')]
  return (
    <p className="row" role="status">
      <VerdictBadge state={verdictOf({ passed, failed, notMeasured })} />
      <span>{number(passed)} of {number(verdicts.length)} limits passed, {number(failed)} failed, {number(notMeasured)} not measured</span>
    </p>
  )
}

function Facts({ report: r }: { report: Report }) {
  return (
    <section className="panel" aria-label="Run">
      <dl className="panel-body properties">
        <dt>Document</dt><dd className="break">{r.profile.figure}</dd>
        <dt>Target</dt><dd><bdi className="break">{r.target}</bdi></dd>
        <dt>Started</dt><dd>{dateText(r.started)} UTC, took {duration(r.seconds)}</dd>
        {r.version && <><dt>Version</dt><dd><bdi>{r.version}</bdi></dd></>}
        {r.quick && <><dt>Shortened</dt><dd>{r.quick}</dd></>}
        {r.not_applied && <><dt>Not applied</dt><dd className="break">{r.not_applied}</dd></>}
        <dt>Requests</dt><dd>{number(r.requests)}, {number(r.throughput, 1)}/s succeeded, {number(r.errors)} errors{r.throttled !== undefined && `, ${number(r.throttled)} throttled`}</dd>
        <dt>Latency</dt><dd>p50 {number(r.latency.p50, 1)}, p90 {number(r.latency.p90, 1)}, p99 {number(r.latency.p99, 1)}, max {number(r.latency.max, 1)} ms</dd>
        {Object.entries(r.error_texts ?? {}).map(([text, n]) => <ErrorText key={text} text={text} n={n} />)}
      </dl>
    </section>
  )
}

function ErrorText({ text, n }: { text: string; n: number }) {
  return <><dt>{number(n)} errors</dt><dd><bdi className="break">{text}</bdi></dd></>
}

function Verdicts({ report: r }: { report: Report }) {
  if (r.verdicts.length === 0) return <p className="muted">The profile has no limits.</p>
  return (
    <section className="panel" aria-labelledby="run-limits">
      <div className="panel-head"><h2 id="run-limits">Limits</h2></div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Limits">
        <table className="table cards">
          <thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col">Metric</th><th scope="col">Measured</th><th scope="col">Limit</th><th scope="col">Remark</th></tr></thead>
          <tbody>
            {r.verdicts.map((v, i) => (
              <tr key={i}>
                <td><VerdictBadge state={v.state} /></td><td className="nowrap">{v.id}</td><td className="nowrap">{v.label ?? v.metric}</td>
                <td className="break" data-label="Measured">{v.measured}</td><td className="break" data-label="Limit">{v.limit}</td><td className="break">{[v.remark, v.undecided].filter(Boolean).join('; ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Kinds({ report: r }: { report: Report }) {
  return (
    <section className="panel" aria-labelledby="run-kinds">
      <div className="panel-head"><h2 id="run-kinds">Requests by kind</h2></div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Requests by kind">
        <table className="table">
          <thead><tr>
            <th scope="col">Request</th><th scope="col" className="number">Requests</th><th scope="col" className="number">Errors</th>
            <th scope="col" className="number">p50 ms</th><th scope="col" className="number">p90 ms</th><th scope="col" className="number">p99 ms</th>
            <th scope="col" className="number">max ms</th><th scope="col" className="number">Read units</th><th scope="col" className="number">Write units</th><th scope="col" className="number">RU</th>
          </tr></thead>
          <tbody>
            {r.kinds.map((k) => (
              <tr key={k.request}>
                <td>{k.request}</td><td className="number">{number(k.requests)}</td><td className="number">{number(k.errors)}</td>
                {[k.latency.p50, k.latency.p90, k.latency.p99, k.latency.max].map((n, i) => <td key={i} className="number">{number(n, 1)}</td>)}
                {[k.read_units, k.write_units, k.request_units].map((n, i) => <td key={i} className="number">{n === undefined ? '–' : number(n, 2)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
