import { useEffect, useState } from 'react'
import { Problem } from '../../api/http'
import { momentAt, momentText, placeOf } from '../../history/moment'
import type { Zoom } from '../../history/timeline'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import '../../styles/history.css'
import { Comparison } from './Comparison'
import { Disabled } from './Disabled'
import { MomentField } from './MomentField'
import { Restore } from './Restore'
import { Snapshot } from './Snapshot'
import type { Source } from './source'
import { Timeline, type Thumb } from './Timeline'
import { useSpan } from './useSpan'
import { Versions } from './Versions'

/** History shows a table or container at any second whose state is stored. The address keeps the moment after #. */
export function History<T>({ source }: { source: Source<T> }) {
  const [at, setAt] = useState(momentOfAddress)
  const [other, setOther] = useState<{ at: string | undefined }>()
  const [zoom, setZoom] = useState<Zoom>('all')
  const [center, setCenter] = useState<number>()
  const [open, setOpen] = useState<T>()
  const [isRestoring, setRestoring] = useState(false)
  useEffect(() => {
    const follow = () => setAt(momentOfAddress())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => history.replaceState(null, '', location.pathname + (at ? `#${at}` : '')), [at])
  const time = useSpan(source, zoom, center ?? placeOrEnd(at))
  const { span, bounds, shown, error, reload } = time
  if (!span) {
    if (error instanceof Problem && error.status === 404) return <div className="panel"><Disabled source={source} error={error} onEnabled={reload} /></div>
    return error ? <ErrorMessage error={error} /> : <Loading what="the history" />
  }

  const momentOf = (place: number) => (place >= bounds.to ? undefined : place <= bounds.from ? span.earliest : momentAt(place))
  const thumb = (label: string, moment: string | undefined, choose: (moment: string | undefined) => void): Thumb => {
    const place = moment === undefined ? bounds.to : placeOf(moment)
    return {
      label, place, text: moment === undefined ? 'now' : momentText(moment),
      onMove: (next) => {
        choose(momentOf(next))
        if (next < shown.from || next > shown.to) setCenter(next)
      },
    }
  }
  const chooseAt = (moment: string | undefined) => {
    setAt(moment)
    setCenter(placeOrEnd(moment))
  }
  const chooseZoom = (next: Zoom) => {
    setZoom(next)
    setCenter(placeOrEnd(at))
  }
  const pan = (direction: number) => () => setCenter((shown.from + shown.to) / 2 + (direction * (shown.to - shown.from)) / 2)
  const chooseOther = (moment: string | undefined) => setOther({ at: moment })
  const thumbs = [thumb('Time', at, setAt), ...(other ? [thumb('Compare with', other.at, chooseOther)] : [])]
  return (
    <>
      <section className="panel" aria-label="Time">
        <div className="panel-body stack">
          <div className="row top">
            <MomentField label="Time (UTC)" value={at ?? span.latest} onChange={chooseAt} />
            <Button onPress={() => chooseAt(undefined)} aria-pressed={at === undefined}>Now</Button>
            {other && <MomentField label="Compare with (UTC)" value={other.at ?? span.latest} onChange={chooseOther} />}
            <Button onPress={() => setOther(other ? undefined : { at: span.earliest })}>{other ? 'Stop comparing' : 'Compare with…'}</Button>
            <span className="grow" />
            <Button onPress={() => setRestoring(true)}>Restore to a new {source.kind}…</Button>
          </div>
          <ErrorMessage error={error} />
          <Timeline buckets={span.buckets} thumbs={thumbs} {...{ shown, bounds }} />
          <div className="row">
            <Segments label="Part of the time that is shown" value={zoom} onChange={chooseZoom} options={[
              { value: 'all', label: 'All' }, { value: 'day', label: 'Day' }, { value: 'hour', label: 'Hour' }, { value: 'minute', label: 'Minute' },
            ]} />
            <Button onPress={pan(-1)} isDisabled={shown.from <= bounds.from}>Earlier</Button>
            <Button onPress={pan(1)} isDisabled={shown.to >= bounds.to}>Later</Button>
            <span className="muted small">States are stored since {momentText(span.earliest)} UTC{span.counted && placeOf(span.counted) < shown.to && `; changes are counted until ${momentText(span.counted)} UTC`}</span>
          </div>
        </div>
      </section>
      {other ? <Comparison source={source} a={at} b={other.at} latest={span.latest} onOpen={setOpen} />
        : <Snapshot source={source} at={at} onOpen={setOpen} />}
      {open !== undefined && <Versions source={source} item={open} onClose={() => setOpen(undefined)} onMoment={(moment) => {
        setOpen(undefined)
        chooseAt(moment)
      }} />}
      {isRestoring && <Restore source={source} at={at} span={span} onClose={() => setRestoring(false)} />}
    </>
  )
}

/** placeOrEnd is the place of a moment; now is at the end, also later. */
function placeOrEnd(moment: string | undefined): number {
  return moment === undefined ? Infinity : placeOf(moment)
}

/** momentOfAddress is the moment after # in the address; undefined is now. */
function momentOfAddress(): string | undefined {
  const text = decodeURIComponent(location.hash.slice(1))
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) ? text : undefined
}
