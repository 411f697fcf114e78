import { useCallback, useState } from 'react'
import { keep, read, remember, write, type Sent } from '../values/history'
import { Button } from './Button'

/** useHistory is the history of a page in this browser, newest first. */
export function useHistory(name: string) {
  const [all, setAll] = useState(() => read(name))
  const change = useCallback((next: (before: Sent[]) => Sent[]) => setAll((before) => {
    const after = next(before)
    write(name, after)
    return after
  }), [name])
  const add = useCallback((sent: Sent) => change((before) => remember(before, sent)), [change])
  return { all, add, change }
}

/** History lists what was sent before; a click opens it. The first line of a request stands for it. */
export function History({ all, change, onOpen }: {
  all: Sent[]; change: (next: (before: Sent[]) => Sent[]) => void; onOpen: (sent: Sent) => void
}) {
  if (all.length === 0) return null
  return (
    <section className="panel" aria-labelledby="history">
      <div className="panel-head">
        <h2 id="history">History</h2>
        <Button small icon="trash" onPress={() => change((before) => before.filter((s) => s.kept))}>Clear</Button>
      </div>
      <div className="table-wrap" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="History">
        <table className="table grid history">
          <tbody>
            {all.map((s) => (
              <tr key={s.operation + s.text}>
                <td><button type="button" className="key-button" onClick={() => onOpen(s)}>{s.operation || <bdi>{summary(s.text)}</bdi>}</button></td>
                <td><Button small kind="quiet" aria-pressed={s.kept ?? false} onPress={() => change((before) => keep(before, s))}>{s.kept ? 'Kept' : 'Keep'}</Button></td>
                {s.operation && <td className="break"><bdi>{summary(s.text)}</bdi></td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** summary is a request on one line. */
export function summary(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 120 ? line.slice(0, 119) + '…' : line
}
