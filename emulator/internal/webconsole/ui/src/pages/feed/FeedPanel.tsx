import { useState } from 'react'
import type { FeedChange } from '../../api/feeds'
import { cut } from '../../values/attribute'
import { Compare } from '../../widgets/Compare'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Segments } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import type { Feed } from './useFeed'

export type From = 'now' | 'oldest'

/** FeedPanel lists changes as they happen, newest first, and shows one with its images. */
export function FeedPanel({ title, feed: { changes, error, following }, from, onFrom }: { title: string; feed: Feed; from: From; onFrom: (from: From) => void }) {
  const [open, setOpen] = useState<FeedChange>()
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <Segments label="Begin" value={from} onChange={onFrom} options={[{ value: 'now', label: 'From now' }, { value: 'oldest', label: 'From the oldest' }]} />
      </div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {changes.length === 0 ? (
        <div className="empty"><h3>{following ? 'Waiting for changes' : 'Connecting'}</h3><p>Changes by any client appear here.</p></div>
      ) : (
        <div className="table-wrap" style={{ maxHeight: '65vh' }} tabIndex={0} role="region" aria-label={title}>
          <table className="table grid">
            <thead><tr><th scope="col">Time</th><th scope="col">Change</th><th scope="col">Item</th><th scope="col">New image</th></tr></thead>
            <tbody>{changes.map((c) => (
              <tr key={c.id}>
                <td>{timeOf(c)}</td>
                <td>{c.event}</td>
                <td><button type="button" className="key-button" onClick={() => setOpen(c)}><bdi>{cut(c.key, 60)}</bdi></button></td>
                <td><bdi>{cut(c.after?.replace(/\s+/g, ' ') ?? '', 80)}</bdi></td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      )}
      <div className="status-line" role="status"><span><strong>{changes.length.toLocaleString('en-US')}</strong> {changes.length === 1 ? 'change' : 'changes'}</span>{following && <span className="badge ok">Live</span>}</div>
      {open && <ChangeView change={open} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

const timeOf = ({ seconds }: FeedChange) => (Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ') : '')

function ChangeView({ change, onClose }: { change: FeedChange; onClose: () => void }) {
  const { before, after } = change
  return (
    <Dialog title={`${change.event} ${cut(change.key, 60)}`} place="side" onClose={onClose}>
      <dl className="properties">
        <dt>Time</dt><dd>{timeOf(change)} UTC</dd>
        <dt>From</dt><dd><bdi className="break">{change.source}</bdi></dd>
      </dl>
      {before !== undefined && after !== undefined ? (
        <Compare label="Old and new image" titles={['Old image', 'New image']} left={before} right={after} />
      ) : before !== undefined ? <><h3>Old image</h3><Code label="Old image" text={before} /></>
        : after !== undefined ? <><h3>New image</h3><Code label="New image" text={after} /></>
          : <p className="muted">The feed has only the key.</p>}
    </Dialog>
  )
}
