/** contextOf reads lines such as: dynamodb:LeadingKeys = ana, bob. Errors: for a line without an equals sign. */
export function contextOf(text: string): Record<string, string[]> {
  const context: Record<string, string[]> = {}
  for (const line of text.split('\n').map((l) => l.trim()).filter(Boolean)) {
    const at = line.indexOf('=')
    if (at < 1) throw new Error(`Write each condition value as KEY = VALUE, VALUE: ${line}`)
    const values = line.slice(at + 1).split(',').map((v) => v.trim()).filter(Boolean)
    const key = line.slice(0, at).trim()
    context[key] = [...(context[key] ?? []), ...values]
  }
  return context
}
