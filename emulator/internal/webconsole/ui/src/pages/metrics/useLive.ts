import { useEffect, useRef, useState } from 'react'
import { tail, type Seen } from '../../api/requests'
import { buckets, Recent, type Bucket } from '../../values/recent'

export interface Live { times: number[]; buckets: Bucket[]; lost: number; following: boolean }

/** useLive counts the requests of other clients while the page is open. key says which: a new key begins anew. */
export function useLive(key: string, matches: (seen: Seen) => boolean): Live {
  const latest = useRef(matches)
  latest.current = matches
  const [live, setLive] = useState<Live>(() => ({ ...new Recent().all(now()), lost: 0, following: false }))
  useEffect(() => {
    const recent = new Recent()
    let lost = 0
    let following = false
    const show = () => setLive({ ...recent.all(now()), lost, following })
    const stop = tail({
      request: (seen) => {
        if (!seen.console && latest.current(seen)) recent.add(seen, now())
      },
      lost: (count) => (lost += count),
      connection: (connected) => (following = connected),
    }, false)
    show()
    const timer = setInterval(show, 1000)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [key])
  return live
}

const now = () => Date.now() / 1000

/** constant is a limit that does not change, as a series; none if there is no limit. */
export function constant(name: string, value: number | undefined) {
  return value ? [{ name, values: Array.from({ length: buckets }, () => value), limit: true }] : []
}
