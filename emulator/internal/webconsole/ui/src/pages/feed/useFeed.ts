import { useEffect, useState } from 'react'
import type { FeedChange, Next } from '../../api/feeds'

/** The most changes that are held; older ones are forgotten. */
const kept = 500
/** The pause between two reads, in milliseconds. */
const pause = 1000

export interface Feed { changes: FeedChange[]; error?: Error; following: boolean }

/** useFeed follows a feed while the page is open and visible, newest first. key says which: a new key begins anew. */
export function useFeed(key: string, open: () => Next): Feed {
  const [feed, setFeed] = useState<Feed>({ changes: [], following: false })
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout>
    const next = open()
    const round = async () => {
      if (!document.hidden) {
        try {
          const fresh = await next()
          if (!stopped) setFeed((f) => ({ changes: fresh.length ? [...fresh.reverse(), ...f.changes].slice(0, kept) : f.changes, following: true }))
        } catch (error) {
          if (!stopped) setFeed((f) => ({ ...f, error: error as Error, following: false }))
        }
      }
      if (!stopped) timer = setTimeout(() => void round(), pause)
    }
    setFeed({ changes: [], following: false })
    void round()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [key])
  return feed
}
