import { useEffect, useRef, useState } from 'react'
import { refusedField, startSimulation, type Choices, type Parameter, type SimulationRun, type SimulationTarget } from '../../api/simulations'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { labelOf, targetTexts } from './texts'

const notes: Record<SimulationTarget, string> = {
  separate: 'It has a clock of its own, so that weeks pass in seconds.',
  backend: 'Its items stay in the tables. The clock is not moved; some simulations need it at the real time.',
  clock: 'Weeks pass in seconds, also for everything else. Afterwards the clock is stopped: resume it in the header.',
}

/** StartSimulation chooses a simulation, where it runs and its parameters, and starts it. */
export function StartSimulation({ choices, busy, onStart }: { choices: Choices; busy: boolean; onStart: (run: SimulationRun) => void }) {
  const [name, setName] = useState('')
  const [target, setTarget] = useState<SimulationTarget>('separate')
  const [changed, setChanged] = useState<Record<string, string>>({})
  const [error, setError] = useState<Error>()
  const simulation = choices.simulations.find((s) => s.name === name) ?? choices.simulations[0]
  const chosen = simulation?.targets.find((t) => t.id === target) ?? simulation?.targets[0]
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => { if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus() }, [error])
  if (!simulation || !chosen) return null

  const key = (p: Parameter) => `${simulation.name} ${chosen.id} ${p.name}`
  const standard = (p: Parameter) => p.name === 'seed' && chosen.id !== 'separate' ? choices.unusedSeed : p.default
  const valueOf = (p: Parameter) => changed[key(p)] ?? standard(p)
  const field = chosen.parameters.some((p) => p.name === refusedField(error)) ? refusedField(error) : ''
  const choose = <T,>(set: (value: T) => void) => (value: T) => {
    set(value)
    setError(undefined)
  }
  const start = async (event: React.FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const values = Object.fromEntries(chosen.parameters.map((p) => [p.name, valueOf(p).trim()]))
    await startSimulation({ simulation: simulation.name, target: chosen.id, values }).then((run) => {
      setChanged((all) => Object.fromEntries(Object.entries(all).filter(([k]) => !k.endsWith(' seed'))))
      onStart(run)
    }, setError)
  }
  return (
    <section className="panel" aria-labelledby="simulation-start">
      <div className="panel-head"><h2 id="simulation-start">Run a simulation</h2></div>
      <form className="panel-body stack" ref={form} onSubmit={start} noValidate>
        <div className="form-grid">
          <Select label="Simulation" value={simulation.name} onChange={choose(setName)} hint={`${simulation.title}.`}
            options={choices.simulations.map((s) => s.name)} />
          <Select label="Runs on" value={chosen.id} onChange={choose(setTarget)} hint={notes[chosen.id]}
            options={simulation.targets.map((t) => ({ value: t.id, label: targetTexts[t.id] }))} />
          {chosen.parameters.map((p) => (
            <TextField key={key(p)} label={labelOf(p.name)} hint={p.usage} value={valueOf(p)} required
              inputMode={p.type === 'int' || p.type === 'uint64' ? 'numeric' : 'text'}
              error={p.name === field ? error?.message : undefined}
              onChange={(value) => setChanged((all) => ({ ...all, [key(p)]: value }))} />
          ))}
        </div>
        {!field && <ErrorMessage error={error} />}
        <div className="row">
          <Button kind="primary" icon="play" type="submit" isDisabled={busy}>Start</Button>
          {busy && <span className="muted">Another simulation is in progress.</span>}
        </div>
      </form>
    </section>
  )
}
