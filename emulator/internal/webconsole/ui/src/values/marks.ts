/** Where a service found the mistakes of a query, as far as its messages say that. */

/** Mark is a mistake in a text, from a character of a JavaScript string to the one after its last. */
export interface Mark { from: number; to: number; message: string }

/** Marks are the mistakes in the text that was sent; they say nothing about another text. */
export interface Marks { text: string; marks: Mark[] }

/** partiqlMarks reads a message of DynamoDB that ends with a line, a column and a length in characters, as in "at 1:8:6". */
export function partiqlMarks(text: string, message: string): Marks {
  const found = / at (\d+):(\d+):(\d+)$/.exec(message)
  if (!found) return { text, marks: [] }
  const [line, column, length] = found.slice(1).map(Number) as [number, number, number]
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0)
  const characters = [...(lines[line - 1] ?? '')]
  const end = (count: number) => before + characters.slice(0, count).join('').length
  return { text, marks: within(text, [{ from: end(column - 1), to: end(column - 1 + length), message }]) }
}

interface CosmosError { message?: string; location?: { start?: number; end?: number } }

/** cosmosMarks reads a message of Cosmos DB that has JSON with the places of errors, counted in bytes of UTF-8. */
export function cosmosMarks(text: string, message: string): Marks {
  try {
    const { errors } = JSON.parse(message.slice(message.indexOf('{'))) as { errors: CosmosError[] }
    const bytes = new TextEncoder().encode(text)
    const at = (offset: number) => new TextDecoder().decode(bytes.subarray(0, offset)).length
    const marks = errors.flatMap(({ location, message: what }) =>
      typeof location?.start === 'number' && typeof location.end === 'number' ? [{ from: at(location.start), to: at(location.end), message: what ?? message }] : [])
    return { text, marks: within(text, marks) }
  } catch {
    return { text, marks: [] }
  }
}

/** within are the marks inside a text; the last character stands for its end. */
function within(text: string, marks: Mark[]): Mark[] {
  return marks.map((m) => {
    const to = Math.min(Math.max(m.to, m.from + 1), text.length)
    return { ...m, from: Math.max(0, Math.min(m.from, to - 1)), to }
  })
}
