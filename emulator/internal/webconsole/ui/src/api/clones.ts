/** Copies of a table or a container under another name, which the emulator makes. */
import { scopeQuery } from './dynamodb'
import { api, Problem, problemOf } from './http'
import { segment } from '../values/segment'

export type Original = { table: string } | { database: string; container: string }

interface Line { done?: boolean; items: number; error?: string }

/**
 * clone copies an original to a new one, and returns its number of items. progress is told how many have been copied; an abort
 * leaves nothing of the new one. Errors: Problem, or an abort.
 */
export async function clone(of: Original, to: string, withoutItems: boolean, progress: (items: number) => void, signal: AbortSignal): Promise<number> {
  const path = 'table' in of ? `dynamodb/${segment(of.table)}?${scopeQuery()}` : `cosmos/${segment(of.database)}/${segment(of.container)}`
  try {
    const response = await fetch(`${api}/clone/${path}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ to, withoutItems }), signal, redirect: 'error',
    })
    if (response.status >= 400) throw problemOf({ status: response.status, headers: response.headers, text: await response.text(), milliseconds: 0 })
    return await readLines(response.body!, progress)
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error
    throw new Problem(0, 'NoConnection', 'The emulator does not answer. Is it still running?')
  }
}

/** readLines reads the progress, of which the last line is the end. */
async function readLines(body: ReadableStream<Uint8Array>, progress: (items: number) => void): Promise<number> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let text = ''; ;) {
    const { value, done } = await reader.read()
    if (done) throw new Error('The response ended before the clone')
    text += decoder.decode(value, { stream: true })
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines.map((l) => JSON.parse(l) as Line)) {
      if (line.error !== undefined) throw new Problem(400, '', line.error)
      if (line.done) return line.items
      progress(line.items)
    }
  }
}
