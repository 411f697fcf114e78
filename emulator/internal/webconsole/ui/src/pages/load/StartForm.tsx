import { useState } from 'react'
import { startRun, type Profile, type Run, type Target, type TargetID } from '../../api/load'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { duration, number, stagesText } from './texts'

/** StartForm chooses a profile, its target, duration and rate, and starts it. */
export function StartForm({ profiles, targets, profile, onProfile, busy, onStart }: {
  profiles: Profile[]; targets: Target[]; profile: Profile; onProfile: (id: string) => void; busy: boolean; onStart: (run: Run) => void
}) {
  const [target, setTarget] = useState<TargetID>('embedded')
  const [seconds, setSeconds] = useState('15')
  const [scale, setScale] = useState('1')
  const [error, setError] = useState<Error>()
  const here = targets.find((t) => t.id === 'emulator')
  const endpoint = profile.database === 'cosmos' ? here?.cosmos : here?.dynamodb
  const unusable = here?.reason ?? (endpoint ? '' : 'Cosmos DB is off in this emulator.')
  const chosen = unusable ? 'embedded' : target
  const start = async (event: React.FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const request = { profile: profile.id, target: chosen, seconds: Number(seconds), rateScale: Number(scale) }
    await startRun(request).then(onStart, setError)
  }
  return (
    <section className="panel" aria-labelledby="load-start">
      <div className="panel-head"><h2 id="load-start">Run a load test</h2></div>
      <form className="panel-body stack" onSubmit={start}>
        <div className="form-grid in-fours">
          <Select label="Profile" value={profile.id} onChange={onProfile}
            options={profiles.map((p) => ({ value: p.id, label: `${p.id}: ${p.title}` }))} />
          <Select label="Target" value={chosen} onChange={setTarget} hint={unusable} options={[
            { value: 'embedded', label: 'A separate emulator' },
            ...(unusable ? [] : [{ value: 'emulator' as const, label: `This emulator, ${endpoint}` }]),
          ]} />
          <TextField label="Duration in seconds" type="number" min={0} max={86400} step={1} required value={seconds} onChange={setSeconds}
            hint={`0: the documented ${duration(profile.seconds)}`} />
          <TextField label="Rate scale" type="number" min={0.001} max={1000} step="any" required value={scale} onChange={setScale}
            disabled={profile.unscaled !== undefined} hint={profile.unscaled ? `Not scaled: ${profile.unscaled}` : 'Multiplies rates and population'} />
        </div>
        <dl className="properties">
          <dt>Document</dt><dd className="break">{profile.figure}</dd>
          <dt>Rates</dt><dd className="break">{stagesText(profile)}; {number(profile.requests)} requests</dd>
          {profile.method && <><dt>Method</dt><dd className="break">{profile.method}</dd></>}
        </dl>
        <ErrorMessage error={error} />
        <div className="row">
          <Button kind="primary" icon="play" type="submit" isDisabled={busy}>Start</Button>
          {busy && <span className="muted">Another run is in progress.</span>}
        </div>
      </form>
    </section>
  )
}
