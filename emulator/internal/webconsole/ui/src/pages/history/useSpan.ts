import { useEffect, useRef } from 'react'
import type { Span } from '../../api/history'
import { useResource } from '../../api/useResource'
import { momentAt, placeOf } from '../../history/moment'
import { stretchOf, type Stretch, type Zoom } from '../../history/timeline'
import type { Source } from './source'

/** How often the time is read again, in milliseconds: it passes without changes too. */
const interval = 5000

/** useSpan is the time whose states are stored, and the part of it around a place that a zoom shows, with the changes in it. */
export function useSpan<T>(source: Source<T>, zoom: Zoom, center: number) {
  const last = useRef<Span>(undefined)
  const boundsOf = (span: Span | undefined): Stretch => (span ? { from: placeOf(span.earliest), to: placeOf(span.latest) } : { from: 0, to: 0 })
  const before = boundsOf(last.current)
  const wanted = stretchOf(before, zoom, center)
  const part = last.current && zoom !== 'all' ? partOf(last.current, wanted) : undefined
  const { data, error, reload } = useResource(`${source.id} ${part ? `${part.from} ${part.to}` : ''}`, () => source.history.span(part), source.concerns)
  if (data) last.current = data
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), interval)
    return () => clearInterval(timer)
  }, [reload])
  const span = last.current
  const bounds = boundsOf(span)
  return { span, bounds, shown: stretchOf(bounds, zoom, center), error, reload }
}

/** partOf is a part of the time as the API takes it, which must be within the span. */
function partOf(span: Span, { from, to }: Stretch) {
  return {
    from: from <= placeOf(span.earliest) ? span.earliest : momentAt(from),
    to: to >= placeOf(span.latest) ? span.latest : momentAt(to),
  }
}
