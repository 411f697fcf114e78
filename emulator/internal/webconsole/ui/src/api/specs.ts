/** Scenarios of the requirements: their results by target, and the run in progress with its requests and responses. */
import { api, json } from './http'
import type { JobState } from './load'

export type Outcome = 'passed' | 'failed' | 'known difference' | 'not applicable' | 'passed in part' | 'not run' | 'not measured'

export interface Cell { outcome: Outcome; passed: number; total: number }

export interface Requirement { id: string; kind: string; says: string; byLoad: boolean; cells: Cell[] }

export interface Matrix {
  targets: { name: string; detail: string; version: string; started: string; elapsed_ns: number; scenarios: number }[]
  groups: { name: string; id: string; rows: Requirement[] }[]
  folder: string
}

export interface Step { keyword: string; text: string; detail?: string; status: string; elapsed_ns: number }

export interface Exchange {
  /** The index of the step that it belongs to; -1: before the first. */
  step: number
  service: 'api' | 'dynamodb' | 'cosmos'
  operation: string
  status: number
  elapsed_ns: number
  request: string
  response: string
  error?: string
  truncated?: boolean
}

export interface Scenario {
  system: string; feature: string; file: string; name: string; line: number; ids: string[]
  outcome: Outcome; reason?: string; elapsed_ns: number; steps: Step[]; trace?: Exchange[]; trace_dropped?: number
}

export interface RequirementDetails extends Requirement {
  system: string
  targets: string[]
  clauses: { id: string; says: string; cells: Cell[] }[]
  scenarios: (Scenario & { results: ({ outcome: Outcome; reason?: string; elapsed_ns: number } | null)[] })[]
}

export interface RanScenario { number: number; name: string; system: string; ids: string[]; outcome: Outcome; reason?: string; elapsed_ns: number; traced: number }

/** ScenarioName identifies a scenario in all versions of the features. */
export interface ScenarioName { system: string; file: string; name: string }

/** SpecsRequest is a requirement, a clause, a system such as TL, or all scenarios if id is empty. */
export interface SpecsRequest {
  id: string
  /** Only this scenario. */
  scenario?: ScenarioName
  /** Only the failed scenarios of the run with this id. */
  failedOf?: string
}

export interface SpecsRun {
  id: string
  request: SpecsRequest; started: string; state: JobState; message?: string
  done: number; failed: number; total: number; scenarios: RanScenario[]
}

export const matrix = () => json<Matrix>(`${api}/specs`)
export const requirement = (id: string) => json<RequirementDetails>(`${api}/specs/requirements/${encodeURIComponent(id)}`)
export const startSpecs = (request: SpecsRequest) => json<SpecsRun>(`${api}/specs/runs`, 'POST', request)
/** currentSpecs is the latest run that a console has started, with the scenarios after the first ones; null: none. */
export const currentSpecs = (after: number) => json<SpecsRun | null>(`${api}/specs/current?after=${after}`)
export const stopSpecs = () => json<SpecsRun>(`${api}/specs/current`, 'DELETE')
/** savedSpecs are the last runs that a console has started, newest first, without their scenarios. */
export const savedSpecs = () => json<SpecsRun[]>(`${api}/specs/runs`)
export const specsRun = (id: string) => json<SpecsRun>(`${api}/specs/runs/${encodeURIComponent(id)}`)
export const ranScenario = (run: string, number: string) =>
  json<Scenario>(`${api}/specs/runs/${encodeURIComponent(run)}/scenarios/${encodeURIComponent(number)}`)
