/** Which lines of two texts differ. */

/** Pair is a line of each text side by side; one that is undefined has no counterpart. */
export interface Pair { left?: string | undefined; right?: string | undefined; same: boolean }

/** The most comparisons of lines: longer texts are compared line by line. */
const maxWork = 4_000_000

/** compareLines pairs the lines of two texts, with as many equal ones as possible. */
export function compareLines(leftText: string, rightText: string): Pair[] {
  return pairLines(leftText.split('\n'), rightText.split('\n'))
}

/** pairLines pairs lines, with as many equal ones as possible. */
export function pairLines(left: string[], right: string[]): Pair[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let end = 0
  while (end < left.length - start && end < right.length - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++
  const same = (line: string): Pair => ({ left: line, right: line, same: true })
  return [
    ...left.slice(0, start).map(same),
    ...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(same),
  ]
}

function middle(left: string[], right: string[]): Pair[] {
  if (left.length * right.length > maxWork) return beside(left, right)
  // longest[i][j] is how many lines the rests from i and j have in common, in order.
  const longest = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      longest[i]![j] = left[i] === right[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!)
    }
  }
  const pairs: Pair[] = []
  let [i, j, fromI, fromJ] = [0, 0, 0, 0]
  const flush = () => pairs.push(...beside(left.slice(fromI, i), right.slice(fromJ, j)))
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      flush()
      pairs.push({ left: left[i++], right: right[j++], same: true })
      ;[fromI, fromJ] = [i, j]
    } else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++
    else j++
  }
  ;[i, j] = [left.length, right.length]
  flush()
  return pairs
}

/** beside pairs lines that differ, one by one. */
function beside(left: string[], right: string[]): Pair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    left: left[i], right: right[i], same: left[i] !== undefined && left[i] === right[i],
  }))
}
