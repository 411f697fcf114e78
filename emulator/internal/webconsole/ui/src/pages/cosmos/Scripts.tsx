import { useState } from 'react'
import { scripts, type Kind, type Script } from '../../api/scripts'
import { useResource } from '../../api/useResource'
import { Button } from '../../widgets/Button'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { RunProcedure } from './RunProcedure'
import { ScriptEditor } from './ScriptEditor'

const kinds: { kind: Kind; title: string; empty: string }[] = [
  { kind: 'sprocs', title: 'Stored procedures', empty: 'No stored procedures' },
  { kind: 'triggers', title: 'Triggers', empty: 'No triggers' },
  { kind: 'udfs', title: 'User-defined functions', empty: 'No user-defined functions' },
]

const headings: Record<Kind, string> = { sprocs: 'Run', triggers: 'Runs', udfs: 'In a query' }

interface Props { database: string; container: string }

/** Scripts shows the scripts of a container, to edit and run. */
export function Scripts({ database, container }: Props) {
  return (
    <div className="stack">
      {kinds.map((k) => <List key={k.kind} {...k} database={database} container={container} />)}
    </div>
  )
}

function List({ database, container, kind, title, empty }: Props & (typeof kinds)[number]) {
  const { data, error, loading } = useResource(`${kind} ${database}/${container}`, () => scripts(database, container, kind),
    (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  const [open, setOpen] = useState<Script | 'new'>()
  const [running, setRunning] = useState<Script>()
  return (
    <section className="panel" aria-labelledby={kind}>
      <div className="panel-head">
        <h2 id={kind}>{title}</h2>
        <Button small icon="plus" onPress={() => setOpen('new')} aria-label={`New: ${title}`}>New</Button>
      </div>
      <ErrorMessage error={error} />
      {loading && <Loading what={title.toLowerCase()} />}
      {data?.length === 0 && <div className="empty">{empty}</div>}
      {data && data.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label={title}>
          <table className="table grid">
            <thead><tr><th scope="col">Name</th><th scope="col">{headings[kind]}</th></tr></thead>
            <tbody>
              {data.map((s) => (
                <tr key={s.id}>
                  <td><button type="button" className="key-button" onClick={() => setOpen(s)}><bdi>{s.id}</bdi></button></td>
                  <td>
                    {kind === 'sprocs' && <Button small icon="play" onPress={() => setRunning(s)} aria-label={`Run ${s.id}`}>Run</Button>}
                    {kind === 'triggers' && whenOf(s)}
                    {kind === 'udfs' && <code>udf.{s.id}(…)</code>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open && <ScriptEditor key={open === 'new' ? '' : open._etag} kind={kind} database={database} container={container}
        onClose={() => setOpen(undefined)} {...(open !== 'new' && { script: open })} />}
      {running && <RunProcedure database={database} container={container} id={running.id} onClose={() => setRunning(undefined)} />}
    </section>
  )
}

/** whenOf says when a trigger runs, in a write that names it. */
function whenOf({ triggerType, triggerOperation }: Script): string {
  return `${triggerType === 'Pre' ? 'before' : 'after'} ${triggerOperation === 'All' ? 'any write' : triggerOperation?.toLowerCase()}`
}
