import { useCallback, useEffect, useRef, useState } from 'react'
import type { Change } from '../../api/events'
import { useRefresh } from '../../api/useRefresh'
import type { Row } from '../../design/rows'

/** Page is what one request read. next reads the one after it, and is absent at the end. */
export interface Page { rows: Row[]; units: number; next?: ReadPage }
export type ReadPage = (limit: number) => Promise<Page>

export interface Sample { rows: Row[]; pages: number; units: number; next: ReadPage | undefined }

/** How many items are read at first, and how many more with each press of the button. */
export const step = 1000
const pageSize = 250

/** The least time between the end of a read and the next that a change causes, in milliseconds. */
const rest = 2000

const nothing: Sample = { rows: [], pages: 0, units: 0, next: undefined }

/** useSample reads the first items, page after page, and reads them again when they change. */
export function useSample(first: ReadPage, concerns: (change: Change) => boolean) {
  const [sample, setSample] = useState<Sample>()
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(true)
  const [isResting, setResting] = useState(false)
  const running = useRef(0)

  const read = useCallback(async (from: Sample, wanted: number, show: (sample: Sample) => void) => {
    const id = ++running.current
    setBusy(true)
    try {
      let now = from
      while (now.next && now.rows.length < wanted && id === running.current) {
        now = await readPage(now, wanted)
        if (id === running.current) show(now)
      }
      if (id === running.current) setSample(now)
      setError(undefined)
    } catch (e) {
      if (id === running.current) setError(e as Error)
    }
    if (id === running.current) {
      setBusy(false)
      setResting(true)
    }
  }, [])
  useEffect(() => {
    void read({ ...nothing, next: first }, step, setSample)
    return () => void running.current++
  }, [read, first])
  useEffect(() => {
    if (!isResting) return
    const timer = setTimeout(() => setResting(false), rest)
    return () => clearTimeout(timer)
  }, [isResting])
  // The items shown stay until all are read again, so that the page does not flicker.
  useRefresh(concerns, busy || isResting, () => void read({ ...nothing, next: first }, Math.max(step, sample?.rows.length ?? 0), () => undefined))
  const more = () => sample && void read(sample, sample.rows.length + step, setSample)
  return { sample, error, busy, more }
}

async function readPage(now: Sample, wanted: number): Promise<Sample> {
  const page = await now.next!(Math.min(pageSize, wanted - now.rows.length))
  return { rows: [...now.rows, ...page.rows], pages: now.pages + 1, units: now.units + page.units, next: page.next }
}
