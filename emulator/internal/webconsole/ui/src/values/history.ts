/** What was sent before, in this browser. */

export interface Sent { operation: string; text: string; kept?: boolean }

/** How much is remembered: so many requests besides those that are kept, and none with a longer text. */
const limit = 30
const longest = 50_000

/** remember returns the history with a request as its newest one. */
export function remember(before: Sent[], sent: Sent): Sent[] {
  if (sent.text.length > longest) return before
  const same = (s: Sent) => s.operation === sent.operation && s.text === sent.text
  const kept = before.find(same)?.kept
  let others = 0
  return [{ ...sent, ...(kept && { kept }) }, ...before.filter((s) => !same(s))].filter((s) => s.kept || ++others <= limit)
}

/** keep returns the history with a request kept, or not kept any more. */
export function keep(before: Sent[], sent: Sent): Sent[] {
  return before.map((s) => (s === sent ? { operation: s.operation, text: s.text, ...(!s.kept && { kept: true }) } : s))
}

/** read returns the history under a name; an empty one if the browser has none, or does not keep any. */
export function read(name: string): Sent[] {
  try {
    const all = JSON.parse(localStorage.getItem(`tabletop.${name}`) ?? '[]') as unknown
    return Array.isArray(all) ? all.filter(isSent) : []
  } catch {
    return []
  }
}

/** write stores the history under a name, if the browser keeps any. */
export function write(name: string, all: Sent[]) {
  try {
    localStorage.setItem(`tabletop.${name}`, JSON.stringify(all))
  } catch {
    // It is full, or switched off: the history lasts as long as the page.
  }
}

function isSent(s: unknown): s is Sent {
  return typeof s === 'object' && s !== null && typeof (s as Sent).operation === 'string' && typeof (s as Sent).text === 'string'
}
