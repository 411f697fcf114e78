import { useCallback, useEffect, useRef, useState } from 'react'
import type { Page } from '../../api/history'

export interface Pages<T> { items: T[]; next: string; at?: string }

export interface PagesState<T> {
  pages: Pages<T> | undefined
  /** The key that pages were read for: an earlier one while others are read. */
  shown: string | undefined
  error: Error | undefined
  busy: boolean
  more: () => void
  /** reload reads as many items again. */
  reload: () => void
}

/** The most requests in a row that return nothing but a continuation. */
const mostEmpty = 50

/**
 * usePages reads the first page of a list for a key, and further ones when asked. While the key changes fast, as when a
 * slider is dragged, one request runs at a time, and then one for the newest key; what was read before stays until then.
 */
export function usePages<T>(key: string, read: (start: string) => Promise<Page<T>>): PagesState<T> {
  const [state, setState] = useState<{ key: string; pages?: Pages<T>; error?: Error }>()
  const [busy, setBusy] = useState(false)
  const wanted = useRef<{ key: string; read: (start: string) => Promise<Page<T>>; from?: Pages<T>; least: number } | undefined>(undefined)
  const isRunning = useRef(false)
  const latest = useRef(read)
  latest.current = read

  const run = useCallback(async () => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    while (wanted.current) {
      const { key: of, read: with_, from, least } = wanted.current
      wanted.current = undefined
      try {
        const pages = await readPages(with_, from, least)
        setState({ key: of, pages })
      } catch (error) {
        setState((s) => ({ key: of, ...(from && s?.pages && { pages: s.pages }), error: error as Error }))
      }
    }
    isRunning.current = false
    setBusy(false)
  }, [])
  const want = useCallback((from: Pages<T> | undefined, least: number) => {
    wanted.current = { key, read: latest.current, least, ...(from && { from }) }
    void run()
  }, [key, run])
  useEffect(() => want(undefined, 1), [want])
  const pages = state?.pages
  return {
    pages, shown: state?.key, error: state?.error, busy,
    more: () => pages?.next && want(pages, pages.items.length + 1),
    reload: () => want(undefined, Math.max(1, pages?.items.length ?? 0)),
  }
}

async function readPages<T>(read: (start: string) => Promise<Page<T>>, from: Pages<T> | undefined, least: number): Promise<Pages<T>> {
  let pages: Pages<T> = from ?? { items: [], next: '' }
  for (let empty = 0; empty < mostEmpty; ) {
    const page = await read(pages.next)
    pages = { items: [...pages.items, ...page.items], next: page.next, ...(page.at && { at: page.at }) }
    if (page.items.length === 0) empty++
    if (!pages.next || pages.items.length >= least) break
  }
  return pages
}
