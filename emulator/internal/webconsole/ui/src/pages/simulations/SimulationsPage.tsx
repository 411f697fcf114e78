import { useCallback, useEffect, useRef, useState } from 'react'
import { currentSimulation, savedSimulations, simulationChoices, simulations, type SimulationRun } from '../../api/simulations'
import { isActive, useCurrentRun } from '../../api/useCurrentRun'
import { usePolling } from '../../api/usePolling'
import { useResource } from '../../api/useResource'
import { useEmulator } from '../../app/session'
import { Link } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { CurrentSimulation } from './CurrentSimulation'
import { FleetPanel, FleetPlots } from './Fleet'
import { SavedSimulations } from './SavedSimulations'
import { StartSimulation } from './StartSimulation'

/** SimulationsPage starts a simulation, follows it, lists the last ones, and follows the simulated devices of tabletop up. */
export default function SimulationsPage() {
  const { overview } = useEmulator()
  const choices = useResource('simulation choices', simulationChoices, () => false)
  const saved = useResource('simulation runs', savedSimulations, () => false)
  const { run, error, show } = useSimulation()
  const ended = run && !isActive(run) ? run.id : undefined
  const [reloadChoices, reloadSaved] = [choices.reload, saved.reload]
  useEffect(() => { // the next run needs another seed
    if (!ended) return
    reloadChoices()
    reloadSaved()
  }, [ended, reloadChoices, reloadSaved])
  return (
    <>
      <div className="page-head"><h1>Simulations</h1></div>
      <ErrorMessage error={choices.error ?? error ?? saved.error} />
      {!choices.data && !choices.error && <Loading what="the simulations" />}
      {choices.data && <StartSimulation choices={choices.data} busy={isActive(run)} onStart={show} />}
      {run && <CurrentSimulation run={run} onChange={show} />}
      {saved.data && saved.data.length > 0 && <SavedSimulations runs={saved.data} />}
      <UpFleet />
      {overview.extensions.includes('pushes') && <p><Link href="/pushes">Phones of the push gateway</Link></p>}
    </>
  )
}

/** useSimulation is the latest run that a console has started; it follows a run in progress. */
function useSimulation() {
  const [run, setRun] = useState<SimulationRun>()
  const known = useRef({ started: '', have: 0 })
  const show = useCallback((next: SimulationRun) => {
    known.current = { started: next.started, have: 0 }
    setRun(next)
  }, [])
  return { run, show, error: useCurrentRun(run, useCallback(() => known.current, []), currentSimulation, show) }
}

/** UpFleet is the fleet that tabletop up itself runs. */
function UpFleet() {
  const { data, error } = usePolling('simulations', simulations, 1000)
  return (
    <>
      <ErrorMessage error={error} />
      {data?.runs && !data.fleet && <div className="empty"><h2>The fleet has not begun</h2><p>Its devices register with the telemetry backend first.</p></div>}
      {data?.fleet && <FleetPanel fleet={data.fleet} />}
      {data && data.history.length > 1 && <FleetPlots history={data.history} />}
    </>
  )
}
