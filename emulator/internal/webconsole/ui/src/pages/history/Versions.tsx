import type { Version } from '../../api/history'
import { Problem } from '../../api/http'
import { useRefresh } from '../../api/useRefresh'
import { textsOf } from '../../history/moment'
import { cut } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { ErrorMessage, Loading } from '../../widgets/Message'
import '../../styles/history.css'
import { Differences } from './Differences'
import { Disabled } from './Disabled'
import type { Source } from './source'
import { usePages } from './usePages'

interface Props<T> {
  source: Source<T>
  item: T
  /** onMoment shows the table as it was at a moment. */
  onMoment: (at: string) => void
  onClose: () => void
}

/** Versions is the history of one item, newest first: when it changed, who did that, and what differs. */
export function Versions<T>({ source, item, onMoment, onClose }: Props<T>) {
  const key = source.key(item)
  const { pages, error, busy, more, reload } = usePages(`${source.id} ${key}`, (start) => source.history.versions(key, start))
  useRefresh(source.concerns, busy, reload)
  const times = textsOf(pages?.items.map((v) => v.at) ?? [])
  return (
    <Dialog title={<>History of <bdi>{cut(source.title(item), 120)}</bdi></>} place="side" onClose={onClose}>
      {error instanceof Problem && error.status === 404 ? <Disabled source={source} error={error} onEnabled={reload} /> : <ErrorMessage error={error} />}
      {!pages && !error && <Loading what="the history" />}
      {pages?.items.length === 0 && <p className="muted">No change of this item is stored{pages.next && ' in what was read so far'}.</p>}
      <ol className="versions" aria-label="Versions" aria-busy={busy}>
        {pages?.items.map((v, i) => <VersionView key={`${v.at} ${i}`} version={v} time={times[i]!} source={source} onMoment={onMoment} />)}
      </ol>
      {pages?.next && <div><Button onPress={more} isDisabled={busy}>Earlier versions</Button></div>}
    </Dialog>
  )
}

const kinds: Record<string, string> = { put: 'Put', update: 'Updated', delete: 'Deleted', expire: 'Expired' }

function VersionView<T>({ version: v, time, source, onMoment }: { version: Version<T>; time: string; source: Source<T>; onMoment: (at: string) => void }) {
  const value = (item: T | null) => (item ? source.value(item) : undefined)
  return (
    <li>
      <div className="row spread">
        <span className="row">
          <time className="mono" dateTime={v.at}>{time}</time>
          <span className={`badge ${v.after ? 'ok' : 'bad'}`}>{v.before || !v.after ? kinds[v.kind] ?? v.kind : 'Created'}</span>
        </span>
        <Button small onPress={() => onMoment(v.at)} aria-label={`Show the ${source.kind} then, ${time}`}>Show the {source.kind} then</Button>
      </div>
      <p className="muted small break">{v.operation && <>{v.operation} </>}{v.user ? <>by <bdi>{v.user}</bdi></> : 'by the service, or not recorded'}</p>
      <Differences before={value(v.before)} after={value(v.after)} />
    </li>
  )
}
