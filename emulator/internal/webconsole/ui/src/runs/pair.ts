/** Which requests of two runs of a client belong together. */
import type { Seen } from '../api/requests'
import { pairLines } from '../values/lines'

/** Paired is a request of each run; one without a counterpart is missing in the other run. */
export interface Paired { before?: Seen | undefined; after?: Seen | undefined }

/**
 * pairRequests pairs the requests of two runs, each in the order of time: those of the same operation and target, with as many
 * in the same order as possible, and then those that only moved.
 */
export function pairRequests(before: Seen[], after: Seen[]): Paired[] {
  let [i, j] = [0, 0]
  const rows: Paired[] = []
  for (const { left, right, same } of pairLines(before.map(keyOf), after.map(keyOf))) {
    if (same) rows.push({ before: before[i++], after: after[j++] })
    else {
      if (left !== undefined) rows.push({ before: before[i++] })
      if (right !== undefined) rows.push({ after: after[j++] })
    }
  }
  return withMoved(rows)
}

function keyOf(s: Seen): string {
  return JSON.stringify([s.cloud, s.operation, s.target])
}

/** withMoved pairs what has no counterpart yet with the first one elsewhere. It stays at the place of the second run. */
function withMoved(rows: Paired[]): Paired[] {
  const missing = new Map<string, Paired[]>()
  for (const row of rows) {
    if (row.before && !row.after) missing.set(keyOf(row.before), [...(missing.get(keyOf(row.before)) ?? []), row])
  }
  const moved = new Set<Paired>()
  const paired = rows.map((row) => {
    const from = !row.before && row.after ? missing.get(keyOf(row.after))?.shift() : undefined
    if (!from) return row
    moved.add(from)
    return { before: from.before, after: row.after }
  })
  return paired.filter((row) => !moved.has(row))
}
