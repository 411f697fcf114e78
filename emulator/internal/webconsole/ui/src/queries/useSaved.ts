import { useEffect, useState } from 'react'
import { readSaved, savedKey, withoutSaved, withSaved, writeSaved, type Saved } from '../values/saved'
import { toast } from '../widgets/Toasts'

/** useSaved are the saved queries of a kind, such as cosmos, also those that other windows of this browser save. */
export function useSaved<Q>(kind: string, isQuery: (query: unknown) => query is Q) {
  const [all, setAll] = useState(() => readSaved(kind, isQuery))
  useEffect(() => {
    const reread = (event: StorageEvent) => (event.key === savedKey(kind) || event.key === null) && setAll(readSaved(kind, isQuery))
    window.addEventListener('storage', reread)
    return () => window.removeEventListener('storage', reread)
  }, [kind, isQuery])

  const change = (next: (before: Saved<Q>[]) => Saved<Q>[]): boolean => {
    const after = next(readSaved(kind, isQuery))
    const stored = writeSaved(kind, after)
    if (stored) setAll(after)
    else toast('The browser does not store it: its storage is full or switched off')
    return stored
  }
  return {
    all,
    save: (saved: Saved<Q>) => change((before) => withSaved(before, saved)),
    rename: (saved: Saved<Q>, name: string) => change((before) => withSaved(withoutSaved(before, saved.name), { ...saved, name })),
    remove: (saved: Saved<Q>) => change((before) => withoutSaved(before, saved.name)),
  }
}
