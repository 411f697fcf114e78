import { useState } from 'react'
import type { Saved } from '../values/saved'
import { Button } from '../widgets/Button'
import { summary } from '../widgets/History'
import { toast } from '../widgets/Toasts'
import { NameDialog } from './NameDialog'
import type { useSaved } from './useSaved'

/** SavedQueries lists the queries that are saved in this browser; a click on a name opens one. */
export function SavedQueries<Q>({ saved, textOf, onOpen }: {
  saved: ReturnType<typeof useSaved<Q>>; textOf: (query: Q) => string; onOpen: (saved: Saved<Q>) => void
}) {
  const [renamed, setRenamed] = useState<Saved<Q>>()
  if (saved.all.length === 0) return null
  const remove = (s: Saved<Q>) => {
    if (saved.remove(s)) toast(`The saved query ${s.name} is deleted`, { label: 'Undo', run: () => void saved.save(s) })
  }
  return (
    <section className="panel" aria-labelledby="saved-queries">
      <div className="panel-head"><h2 id="saved-queries">Saved queries</h2></div>
      <ul className="grid saved-list">
        {saved.all.map((s) => (
          <li key={s.name}>
            <div className="grow">
              <button type="button" className="key-button" onClick={() => onOpen(s)}><bdi>{s.name}</bdi></button>
              <div className="clip muted"><bdi>{summary(textOf(s.query))}</bdi></div>
            </div>
            <Button small kind="quiet" onPress={() => setRenamed(s)} aria-label={`Rename ${s.name}`}>Rename</Button>
            <Button small kind="quiet" icon="trash" onPress={() => remove(s)} aria-label={`Delete ${s.name}`} />
          </li>
        ))}
      </ul>
      {renamed && (
        <NameDialog title="Rename saved query" button="Rename" name={renamed.name} onName={(name) => saved.rename(renamed, name)} onClose={() => setRenamed(undefined)}
          hintOf={(name) => (name !== renamed.name && saved.all.some((s) => s.name === name) ? 'This replaces the saved query of that name.' : '')} />
      )}
    </section>
  )
}
