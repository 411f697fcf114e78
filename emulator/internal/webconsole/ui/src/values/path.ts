/** Document paths: address.city, lines[0].sku, "name.with.dots".inner. */

export type Step = { name: string } | { index: number }

/** parsePath splits a path; a name with dots or brackets stands in double quotes. Errors: Error with the reason. */
export function parsePath(text: string): Step[] {
  const steps: Step[] = []
  const token = /\s*(?:"((?:[^"\\]|\\.)*)"|([^."[\]]+)|\[(\d+)\])\s*(\.?)/y
  let at = 0
  let expectName = true
  while (at < text.length) {
    token.lastIndex = at
    const match = token.exec(text)
    if (!match) throw new Error(`${text} is not a path: write address.city, lines[0] or "name.with.dots"`)
    if (match[3] !== undefined) {
      if (steps.length === 0) throw new Error('A path begins with a name')
      steps.push({ index: Number(match[3]) })
    } else {
      if (!expectName) throw new Error(`${text} is not a path: a dot is missing`)
      steps.push({ name: match[1] !== undefined ? (JSON.parse(`"${match[1]}"`) as string) : match[2]!.trim() })
    }
    expectName = match[4] === '.'
    at = token.lastIndex
  }
  if (expectName) throw new Error('An attribute name is missing')
  return steps
}

/** quoteName writes a name so that parsePath reads it as one. */
export function quoteName(name: string): string {
  return /^[^."[\]\s][^."[\]]*$/.test(name) && name === name.trim() ? name : JSON.stringify(name)
}
