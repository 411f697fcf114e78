import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { axisMaximum, compact, dots, line, timeText } from '../values/plot'

/** Series is one line of a plot. A value that is undefined is unknown: the line has a gap there. */
export interface Series { name: string; values: readonly (number | undefined)[]; limit?: boolean }

interface Props {
  title: string
  /** Of the values, such as "ms". */
  unit: string
  /** Seconds since 1970, evenly spaced, one for each value. */
  times: readonly number[]
  /** At most six. One with limit is a limit of the others, and is dashed. */
  series: readonly Series[]
  /** What to show if no series has a value. */
  empty?: string
  children?: React.ReactNode
}

/**
 * Plot draws series over time. Its legend has the last values, or those of the time under the pointer or the arrow keys;
 * screen readers read the same. It follows the theme and the width by itself.
 */
export function Plot({ title, unit, times, series, empty = 'No data in this time', children }: Props) {
  const id = useId()
  const [cursor, setCursor] = useState<number>()
  const known = series.some((s) => s.values.some((v) => v !== undefined))
  const at = cursor === undefined ? times.length - 1 : Math.min(cursor, times.length - 1)
  const max = axisMaximum(series.flatMap((s) => s.values))
  return (
    <figure className="plot panel" aria-labelledby={id}>
      <div className="panel-head">
        <h3 id={id}>{title} <span className="muted unit">{unit}</span></h3>
        {children}
      </div>
      <div className="panel-body">
        <Legend series={series} at={at} time={cursor === undefined ? undefined : times[at]} />
        {known ? (
          <Area {...{ title, unit, times, series, at, max }} moved={cursor !== undefined} onMove={setCursor} />
        ) : <p className="plot-empty muted">{empty}</p>}
      </div>
    </figure>
  )
}

function Legend({ series, at, time }: { series: readonly Series[]; at: number; time: number | undefined }) {
  return (
    <ul className="plot-legend">
      {series.map((s, i) => (
        <li key={s.name}>
          <svg viewBox="0 0 20 8" aria-hidden="true"><path className={`series-${i} ${s.limit ? 'limit' : ''}`} d="M1 4H19" /></svg>
          <span>{s.name}</span> <strong>{compact(s.values[at])}</strong>
        </li>
      ))}
      {time !== undefined && <li className="muted">at {timeText(time, true)}</li>}
    </ul>
  )
}

function Area({ title, unit, times, series, at, max, moved, onMove }: Omit<Props, 'empty' | 'children'> & {
  at: number; max: number; moved: boolean; onMove: (at: number | undefined) => void
}) {
  const last = times.length - 1
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    onMove(Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last))))
  }
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(Math.max(0, Math.min(last, to)))
  }
  const values = series.map((s) => `${s.name} ${compact(s.values[at])}`).join(', ')
  const span = times[last]! - times[0]!
  const [days, seconds] = [span > 86400, span < 300]
  return (
    <>
      <div className="plot-rows">
        <div className="plot-axis" aria-hidden="true"><span>{compact(max)}</span><span>{compact(max / 2)}</span><span>0</span></div>
        <div className="plot-area" role="slider" tabIndex={0} aria-label={`${title} over time`} aria-valuemin={0} aria-valuemax={last}
          aria-valuenow={at} aria-valuetext={`${timeText(times[at]!, true)} UTC: ${values}, in ${unit}`}
          onPointerMove={point} onPointerLeave={() => onMove(undefined)} onKeyDown={key} onBlur={() => onMove(undefined)}>
          <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
            <path className="plot-grid" d="M0 0H1000M0 50H1000M0 100H1000" />
            {series.map((s, i) => <path key={s.name} className={`series-${i} ${s.limit ? 'limit' : ''}`} d={line(s.values, max)} />)}
            {series.map((s, i) => <path key={s.name} className={`series-${i} dot`} d={dots(s.values, max)} />)}
            {moved && <path className="plot-cursor" d={`M${(at / Math.max(1, last)) * 1000} 0V100`} />}
          </svg>
        </div>
      </div>
      <div className="plot-times" aria-hidden="true">
        <span>{timeText(times[0]!, seconds, days)}</span><span>{timeText(times[last >> 1]!, seconds, days)}</span>
        <span>{timeText(times[last]!, seconds, days)} UTC</span>
      </div>
    </>
  )
}
