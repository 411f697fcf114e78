import type { Changed } from '../../api/history'
import { useRefresh } from '../../api/useRefresh'
import { compareMoments, momentText } from '../../history/moment'
import { cut } from '../../values/attribute'
import { kindOf } from '../../values/difference'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'
import { Differences } from './Differences'
import type { Source } from './source'
import { usePages } from './usePages'

interface Props<T> {
  source: Source<T>
  /** Two moments in any order; undefined is now. */
  a: string | undefined
  b: string | undefined
  latest: string
  onOpen: (item: T) => void
}

/** Comparison lists the items that are not the same at two moments. */
export function Comparison<T>({ source, a, b, latest, onOpen }: Props<T>) {
  const isForward = b === undefined || (a !== undefined && compareMoments(a, b) <= 0)
  const [from, to] = isForward ? [a, b] : [b, a]
  const { pages, error, busy, more, reload } = usePages(`${source.id} ${from ?? ''} ${to ?? ''}`,
    (start) => source.history.difference(from ?? latest, to ?? '', start))
  useRefresh((change) => to === undefined && source.concerns(change), busy, reload)
  const count = pages?.items.length ?? 0
  return (
    <section className="panel" aria-labelledby="comparison" aria-busy={busy}>
      <div className="panel-head">
        <h2 id="comparison">
          {count.toLocaleString('en-US')} {count === 1 ? 'item differs' : 'items differ'}{pages?.next && ' so far'} between <Time at={from} /> and <Time at={to} />
        </h2>
      </div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {pages && count === 0 && <div className="empty">{pages.next ? 'No item in what was read so far' : 'Nothing differs'}</div>}
      <ol className="versions panel-body" aria-label="Items that differ">
        {pages?.items.map((c) => <ChangedItem key={source.key(itemOf(c))} changed={c} source={source} onOpen={onOpen} />)}
      </ol>
      <div className="status-line" role="status">
        <span>{busy ? 'Comparing…' : ''}</span>
        <span className="grow" />
        {pages?.next ? <Button small onPress={more} isDisabled={busy}>Next page</Button> : pages && <span>All items are compared</span>}
      </div>
    </section>
  )
}

function Time({ at }: { at: string | undefined }) {
  return at === undefined ? <>now</> : <time dateTime={at}>{momentText(at)}</time>
}

const names = { added: ['Added', 'ok'], removed: ['Removed', 'bad'], changed: ['Changed', 'warn'] } as const

/** itemOf is a state of an item; it has one at one of two moments at least. */
function itemOf<T>({ before, after }: Changed<T>): T {
  return (after ?? before)!
}

function ChangedItem<T>({ changed, source, onOpen }: { changed: Changed<T>; source: Source<T>; onOpen: (item: T) => void }) {
  const { before, after } = changed
  const item = itemOf(changed)
  const [name, style] = names[kindOf({ before, after })]
  return (
    <li>
      <div className="row">
        <span className={`badge ${style}`}>{name}</span>
        <button type="button" className="key-button mono break" onClick={() => onOpen(item)}><bdi>{cut(source.title(item), 120)}</bdi></button>
      </div>
      <Differences before={before ? source.value(before) : undefined} after={after ? source.value(after) : undefined} />
    </li>
  )
}
