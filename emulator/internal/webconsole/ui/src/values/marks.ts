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

interface CosmosError { code?: string; message?: string; location?: { start?: number; end?: number } }

/** Mistake is what Cosmos DB says about a mistake in a query, and where it is if the service says that. */
export interface Mistake { code: string; message: string; mark?: Mark }

/** cosmosMistakes reads a message of Cosmos DB that has JSON with errors; none: the message is to be read as it is. */
export function cosmosMistakes(text: string, message: string): Mistake[] {
  try {
    const { errors } = JSON.parse(message.slice(message.indexOf('{'))) as { errors: CosmosError[] }
    const at = byteOffsets(text)
    return errors.flatMap(({ code, location, message: what }) => {
      if (typeof what !== 'string') return []
      const placed = typeof location?.start === 'number' && typeof location.end === 'number'
      const [mark] = placed ? within(text, [{ from: at(location.start!), to: at(location.end!), message: what }]) : []
      return [{ code: String(code ?? ''), message: what, ...(mark && { mark }) }]
    })
  } catch {
    return []
  }
}

/** cosmosMarks are the places of the mistakes in a query that Cosmos DB refused. */
export function cosmosMarks(text: string, message: string): Marks {
  return { text, marks: cosmosMistakes(text, message).flatMap(({ mark }) => mark ?? []) }
}

/** byteOffsets converts places in a text that are counted in bytes of UTF-8, as Cosmos DB does. */
function byteOffsets(text: string): (offset: number) => number {
  const bytes = new TextEncoder().encode(text)
  return (offset) => new TextDecoder().decode(bytes.subarray(0, offset)).length
}

/** placeOf is the line and the column of a mark, from 1, in characters, and the line's text before, in and after the mark. */
export function placeOf(text: string, { from, to }: Mark): { line: number; column: number; parts: [string, string, string] } {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const end = text.indexOf('\n', from) < 0 ? text.length : text.indexOf('\n', from)
  const last = Math.min(to, end)
  return {
    line: text.slice(0, from).split('\n').length, column: [...text.slice(start, from)].length + 1,
    parts: [text.slice(start, from), text.slice(from, last), text.slice(last, end)],
  }
}

/** within are the marks inside a text; the last character stands for its end. */
function within(text: string, marks: Mark[]): Mark[] {
  return marks.map((m) => {
    const to = Math.min(Math.max(m.to, m.from + 1), text.length)
    return { ...m, from: Math.max(0, Math.min(m.from, to - 1)), to }
  })
}
