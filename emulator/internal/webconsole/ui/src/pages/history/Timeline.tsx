import { useRef } from 'react'
import type { Bucket } from '../../api/history'
import { momentAt, momentText } from '../../history/moment'
import { barsOf, moved, placeAt, ticksOf, type Stretch } from '../../history/timeline'

/** Thumb is a moment on the timeline that can be moved. */
export interface Thumb { label: string; place: number; text: string; onMove: (place: number) => void }

/**
 * Timeline shows when items changed, puts upwards and deletions downwards, with one or two moments to move by mouse, touch
 * and keyboard. It shows a part of the time; a key may move a moment beyond that, to the bounds.
 */
export function Timeline({ buckets, shown, bounds, thumbs }: { buckets: Bucket[]; shown: Stretch; bounds: Stretch; thumbs: Thumb[] }) {
  const track = useRef<HTMLDivElement>(null)
  const dragged = useRef<Thumb>(undefined)
  const fraction = (place: number) => (place - shown.from) / (shown.to - shown.from)
  const placeOfPointer = (event: React.PointerEvent) => {
    const box = track.current!.getBoundingClientRect()
    return placeAt((event.clientX - box.left) / box.width, shown, bounds)
  }
  const grab = (event: React.PointerEvent) => {
    if (event.button !== 0) return
    const place = placeOfPointer(event)
    const nearest = thumbs.reduce((a, b) => (Math.abs(b.place - place) < Math.abs(a.place - place) ? b : a))
    dragged.current = nearest
    track.current!.setPointerCapture(event.pointerId)
    ;(track.current!.querySelectorAll('[role=slider]')[thumbs.indexOf(nearest)] as HTMLElement).focus({ preventScroll: true })
    event.preventDefault()
    nearest.onMove(place)
  }
  const drag = (event: React.PointerEvent) => {
    const label = dragged.current?.label
    if (label !== undefined) thumbs.find((t) => t.label === label)?.onMove(placeOfPointer(event))
  }
  const press = (thumb: Thumb) => (event: React.KeyboardEvent) => {
    const place = moved(event.key, thumb.place, shown, bounds)
    if (place === undefined) return
    event.preventDefault()
    thumb.onMove(place)
  }
  return (
    <div className="timeline">
      <div className="track" ref={track} onPointerDown={grab} onPointerMove={drag} onPointerUp={() => { dragged.current = undefined }}
        onPointerCancel={() => { dragged.current = undefined }}>
        <Density buckets={buckets} shown={shown} />
        {thumbs.map((t) => (
          <div key={t.label} role="slider" tabIndex={0} aria-label={t.label} aria-valuemin={bounds.from} aria-valuemax={bounds.to} aria-valuenow={t.place}
            aria-valuetext={t.text} className={`thumb ${fraction(t.place) < 0 || fraction(t.place) > 1 ? 'outside' : ''}`}
            style={{ left: `${Math.min(1, Math.max(0, fraction(t.place))) * 100}%` }} onKeyDown={press(t)} />
        ))}
      </div>
      <div className="ticks mono" aria-hidden="true">{ticksOf(shown).map((t, i) => <span key={i}>{t}</span>)}</div>
    </div>
  )
}

function Density({ buckets, shown }: { buckets: Bucket[]; shown: Stretch }) {
  const bars = barsOf(buckets, shown)
  const sum = (of: (b: Bucket) => number) => buckets.reduce((n, b) => n + of(b), 0).toLocaleString('en-US')
  const label = `${sum((b) => b.puts)} puts and ${sum((b) => b.deletes)} deletions from ${momentText(momentAt(shown.from))} to ${momentText(momentAt(shown.to))}`
  return (
    <svg className="density" viewBox="0 0 1 2" preserveAspectRatio="none" role="img" aria-label={label}>
      {bars.map((b, i) => (
        <g key={i}>
          <rect className="puts" x={b.x} width={b.width} y={1 - b.puts} height={b.puts} />
          <rect className="deletes" x={b.x} width={b.width} y={1} height={b.deletes} />
        </g>
      ))}
      <line x1="0" x2="1" y1="1" y2="1" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
