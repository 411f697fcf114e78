/** The simulated devices of tabletop up, and the simulations that a console starts. */
import { api, json, Problem } from './http'
import type { JobState } from './load'

/** Counters are those of a fleet of devices. */
export interface Counters {
  at: string; simulated: string; behind_ns: number
  devices: number; online: number; offline: number; buffered: number
  requests: number; requests_per_second: number; stored: number; duplicate: number; rejected: number
  /** Requests that failed and were repeated. */
  errors: number
  /** Devices whose readings were read back and compared at the end. */
  read_back: number
}

/** Fleet is the fleet of tabletop up. */
export interface Fleet extends Counters {
  seed: number
  /** Simulated seconds per second; 0: without pauses. */
  speed: number
  interval_ns: number
}

export interface FleetPoint {
  at: string; requests_per_second: number; online: number; offline: number; buffered: number; stored: number; errors: number
}

/** Simulations is the fleet of tabletop up, if that runs one. */
export interface Simulations { runs: boolean; fleet: Fleet | null; history: FleetPoint[] }

export type SimulationTarget = 'separate' | 'backend' | 'clock'

/** Parameter is a flag of a simulation, without dashes, with the type of its value. */
export interface Parameter { name: string; usage: string; type: 'int' | 'uint64' | 'float64' | 'duration'; default: string }

export interface Choice { name: string; title: string; targets: { id: SimulationTarget; parameters: Parameter[] }[] }

/** Choices are the simulations that can be started; unusedSeed is for a backend that has the data of earlier runs. */
export interface Choices { simulations: Choice[]; backend: string; unusedSeed: string }

export interface StartSimulation { simulation: string; target: SimulationTarget; values: Record<string, string> }

/** People are the counters of a simulation of people. */
export interface People {
  at: string; simulated: string
  /** Who is simulated, such as 50 brewers. */
  simulation: string
  requests: number; requests_per_second: number
  /** Requests that failed and were repeated. */
  errors: number
  responses_lost: number
}

export interface SimulationRun {
  id: string
  request: StartSimulation
  started: string
  state: JobState
  message?: string
  /** The last counters of a fleet, and of another simulation. */
  fleet?: Counters
  people?: People
  /** Of a saved run: none. */
  history?: (FleetPoint & { responses_lost: number })[]
  /** What the command has printed at the end. */
  result: string
  verdict?: 'PASS' | 'FAIL'
}

export const simulations = () => json<Simulations>(`${api}/simulations`)
export const simulationChoices = () => json<Choices>(`${api}/simulations/choices`)
export const startSimulation = (run: StartSimulation) => json<SimulationRun>(`${api}/simulations/runs`, 'POST', run)
/** currentSimulation is the latest that a console has started; null: none. */
export const currentSimulation = () => json<SimulationRun | null>(`${api}/simulations/current`)
/** stopSimulation asks the simulation to stop and to read everything back; if it does so already, it ends at once. */
export const stopSimulation = () => json<SimulationRun>(`${api}/simulations/current`, 'DELETE')
/** savedSimulations are the last runs that a console has started, newest first. */
export const savedSimulations = () => json<SimulationRun[]>(`${api}/simulations/runs`)

/** refusedField is the parameter that a refused start names, or ''. */
export function refusedField(error: Error | undefined): string {
  if (!(error instanceof Problem)) return ''
  try {
    return (JSON.parse(error.body) as { field?: string }).field ?? ''
  } catch {
    return '' // not problem details
  }
}
