/** What differs between two runs of a client. The emulator compares the bodies, by the rules of tabletop replay. */
import { api, json } from '../api/http'
import type { Seen } from '../api/requests'
import { pairRequests, type Paired } from './pair'

export interface Difference { path: string; recorded: string; answered: string }

export type Outcome = 'same' | 'changed' | 'missing' | 'new'

export interface Row extends Paired { outcome: Outcome; differences: Difference[] }

/** How many bytes of bodies are compared at once. */
const atOnce = 4 << 20

/** compareRuns compares two runs, each in the order of time. Errors: Problem. */
export async function compareRuns(before: Seen[], after: Seen[]): Promise<Row[]> {
  const rows = pairRequests(before, after).map(rowOf)
  for (const part of parts(rows.map((row) => ({ row, bodies: bodiesOf(row) })).filter(({ bodies }) => bodies))) {
    const found = await json<Difference[][]>(`${api}/compare`, 'POST', part.map(({ bodies }) => bodies))
    part.forEach(({ row }, i) => row.differences.push(...found[i]!))
  }
  rows.forEach((row) => {
    if (row.outcome === 'same' && row.differences.length > 0) row.outcome = 'changed'
  })
  return rows
}

/** rowOf compares what is no body. */
export function rowOf({ before, after }: Paired): Row {
  if (!before) return { before, after, outcome: 'new', differences: [] }
  if (!after) return { before, after, outcome: 'missing', differences: [] }
  const differences: Difference[] = []
  const differ = (path: string, recorded: string, answered: string) => {
    if (recorded !== answered) differences.push({ path, recorded, answered })
  }
  differ('status', String(before.status), String(after.status))
  differ('error', before.error ?? '', after.error ?? '')
  return { before, after, outcome: 'same', differences }
}

interface Bodies { cloud: string; operation: string; requests?: [string, string]; responses?: [string, string] }

/** bodiesOf are the bodies to compare, if any. Those of responses with other errors differ anyway; what is cut is not compared. */
function bodiesOf({ before, after, differences }: Row): Bodies | undefined {
  if (!before || !after || before.truncated || after.truncated) return undefined
  const bodies: Bodies = { cloud: after.cloud, operation: after.operation }
  if (before.request !== after.request) bodies.requests = [before.request ?? '', after.request ?? '']
  if (before.response !== after.response && differences.length === 0) bodies.responses = [before.response ?? '', after.response ?? '']
  return bodies.requests || bodies.responses ? bodies : undefined
}

type Compared = { row: Row; bodies: Bodies | undefined }

function parts(all: Compared[]): Compared[][] {
  const found: Compared[][] = []
  let bytes = atOnce
  for (const one of all) {
    const size = [...(one.bodies?.requests ?? []), ...(one.bodies?.responses ?? [])].reduce((sum, text) => sum + text.length, 0)
    if ((bytes += size) > atOnce) {
      found.push([])
      bytes = size
    }
    found.at(-1)!.push(one)
  }
  return found
}
