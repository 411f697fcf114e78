import { compare, type Change, type Comparison } from '../../api/load'
import { useResource } from '../../api/useResource'
import { Link, to } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { VerdictBadge } from './Verdict'

/** ComparePage compares two runs, the earlier one first, as tabletop loadtest compare does. */
export default function ComparePage({ runs }: { runs: [string, string] }) {
  const { data, error } = useResource(`compare ${runs.join(' ')}`, () => compare(runs), () => false)
  return (
    <>
      <div className="page-head">
        <div><div className="crumbs"><Link href="/load">Load tests</Link> /</div><h1>Compare two runs</h1></div>
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="the reports" />}
      {data?.profiles.map((p) => <ProfileTable key={p.profile.id} runs={data.runs} {...p} />)}
    </>
  )
}

function ProfileTable({ runs, profile, quick, rows }: Comparison['profiles'][number] & { runs: Comparison['runs'] }) {
  const id = `compare-${profile.id}`
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head"><h2 id={id}>{profile.id}: {profile.title}</h2>{quick && <span className="muted small">{quick}</span>}</div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={profile.id}>
        <table className="table">
          <thead><tr>
            <th scope="col">Figure</th>
            {runs.map((r) => <th key={r.id} scope="col"><Link href={to('load', 'runs', r.id)}><bdi>{r.label}</bdi></Link></th>)}
            <th scope="col">Change</th>
          </tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.label}>
                <th scope="row" className="break">{row.label}</th>
                {row.cells.map((cell, i) => <td key={i} className="break">{cell.state && <VerdictBadge state={cell.state} />} {cell.text}</td>)}
                <td className="nowrap">{row.change ? <ChangeText change={row.change} /> : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const meanings: Record<Change['meaning'], string> = { better: 'ok', worse: 'bad', same: '', neutral: '' }

function ChangeText({ change: { text, meaning } }: { change: Change }) {
  return <>{text} {meaning !== 'neutral' && <span className={`badge ${meanings[meaning]}`}>{meaning}</span>}</>
}
