import { useState } from 'react'
import { useRefresh } from '../../api/useRefresh'
import { momentText } from '../../history/moment'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import type { Source } from './source'
import { usePages } from './usePages'

/** Snapshot shows a table or container as it was at a moment, or as it is, which follows the changes. */
export function Snapshot<T>({ source, at, onOpen }: { source: Source<T>; at: string | undefined; onOpen: (item: T) => void }) {
  const [index, setIndex] = useState('')
  const [partition, setPartition] = useState('')
  const key = source.partitionKey?.(index)
  const { pk, problem } = encoded(key?.encode, partition)
  const { pages, error, busy, more, reload } = usePages(`${source.id} ${index} ${pk} ${at ?? ''}`, (start) => source.history.items({ at, index, pk }, start))
  useRefresh((change) => at === undefined && source.concerns(change), busy, reload)
  const count = pages?.items.length ?? 0
  return (
    <section className="panel" aria-labelledby="snapshot" aria-busy={busy}>
      <div className="panel-head">
        <h2 id="snapshot">{count.toLocaleString('en-US')} {count === 1 ? 'item' : 'items'}{pages?.next && ' so far'} {at === undefined ? 'now' : <>at <time dateTime={at}>{momentText(at)}</time></>}</h2>
        <div className="row">
          {source.indexes.length > 1 && (
            <Select label="Table or index" hideLabel value={index} onChange={setIndex}
              options={source.indexes.map((name) => ({ value: name, label: name || 'Table' }))} />
          )}
          {key && (
            <TextField label={`Only items with ${key.name}`} hideLabel placeholder={key.example ?? `Any ${key.name}`} value={partition} onChange={setPartition} mono
              type="search" {...(problem && { error: problem })} />
          )}
        </div>
      </div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {pages && (count > 0 ? <source.Grid items={pages.items} index={index} onOpen={onOpen} /> : (
        <div className="empty">{pages.next ? 'No item in what was read so far' : 'No items'}</div>
      ))}
      <div className="status-line" role="status">
        <span>{busy ? 'Reading…' : 'Open an item to see its history'}</span>
        <span className="grow" />
        {pages?.next ? <Button small onPress={more} isDisabled={busy}>Next page</Button> : pages && <span>Last page</span>}
      </div>
    </section>
  )
}

/** encoded is the partition key as the API takes it, or what is wrong with it; empty means any. */
function encoded(encode: ((text: string) => string) | undefined, text: string): { pk: string; problem: string } {
  if (!encode || text === '') return { pk: '', problem: '' }
  try {
    return { pk: encode(text), problem: '' }
  } catch (error) {
    return { pk: '', problem: (error as Error).message }
  }
}
