import { useCallback, useEffect, useState } from 'react'
import { advance, clock, setClock, type Clock } from '../api/console'
import { Button } from '../widgets/Button'
import { Menu } from '../widgets/Menu'
import { toast } from '../widgets/Toasts'

/** How often the clock is read again, in milliseconds, to see what other clients did with it. */
const interval = 5000

const times = (speed: number) => `${speed.toLocaleString('en-US')}×`

const speeds = [
  { speed: 1, label: 'Real time' }, { speed: 60, label: '60×: 1 minute per second' },
  { speed: 3600, label: '3,600×: 1 hour per second' }, { speed: 86400, label: '86,400×: 1 day per second' },
]

/** ClockBar shows the emulator's time and moves it. */
export function ClockBar() {
  const [state, setState] = useState<{ clock: Clock; readAt: number }>()
  const [busy, setBusy] = useState(false)
  const take = useCallback((c: Clock) => setState({ clock: c, readAt: performance.now() }), [])

  useEffect(() => {
    const read = () => void clock().then(take, () => undefined) // a lost connection has its own message
    read()
    const timer = setInterval(read, interval)
    return () => clearInterval(timer)
  }, [take])

  const run = (action: () => Promise<Clock>) => async () => {
    setBusy(true)
    try {
      take(await action())
    } catch (error) {
      toast((error as Error).message)
    }
    setBusy(false)
  }
  if (!state) return <div className="clock" />
  const { frozen, speed } = state.clock
  return (
    <div className="clock" role="group" aria-label="Clock of the emulator">
      <Now clock={state.clock} readAt={state.readAt} />
      <Button kind="quiet" icon={frozen ? 'play' : 'pause'} aria-label={frozen ? 'Resume the clock' : 'Freeze the clock'}
        onPress={run(() => setClock({ frozen: !frozen }))} isDisabled={busy} />
      <Button onPress={run(() => advance('1h'))} isDisabled={busy} aria-label="+1 h: advance the clock by 1 hour">+1 h</Button>
      <Button onPress={run(() => advance('24h'))} isDisabled={busy} aria-label="+1 d: advance the clock by 1 day">+1 d</Button>
      <Menu small label={speed === 1 ? 'Speed' : `Speed: ${times(speed)}`} text={speed === 1 ? 'Speed' : times(speed)}
        actions={speeds.map(({ speed: s, label }) => ({ id: String(s), label, run: run(() => setClock({ speed: s })) }))} />
    </div>
  )
}

function Now({ clock, readAt }: { clock: Clock; readAt: number }) {
  const [, tick] = useState(0)
  useEffect(() => {
    if (clock.frozen) return
    const timer = setInterval(() => tick((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [clock.frozen])
  const passed = clock.frozen ? 0 : (performance.now() - readAt) * clock.speed
  const now = new Date(new Date(clock.now).getTime() + passed)
  const text = now.toISOString().slice(0, 19).replace('T', ' ')
  const [date, time] = text.split(' ')
  return (
    <time dateTime={now.toISOString()} title={`${text} UTC${clock.frozen ? ', frozen' : ''}`}>
      <span>{date}</span> <span>{time}{clock.frozen && ' ❄'}</span>
    </time>
  )
}
