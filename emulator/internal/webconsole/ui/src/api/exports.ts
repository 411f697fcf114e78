/** Exports of all results of a request: the emulator reads page after page, so that the console understands no format twice. */
import { ascii } from '../values/document'
import { scopeQuery } from './dynamodb'
import { api, Problem, problemOf } from './http'

/** Source is what to export: a Scan, Query or ExecuteStatement of DynamoDB, or a query of a container. */
export type Source =
  | { operation: string; input: Record<string, unknown> }
  | { database: string; container: string; query: string; partitionKey: string }

export type ExportFormat = 'csv' | 'json' | 'dynamodb-json'

/**
 * exportAll reads all results. progress is told how many bytes have come. Errors: Problem, an abort, or an Error if the
 * emulator could not read to the end.
 */
export async function exportAll(source: Source, format: ExportFormat, progress: (bytes: number) => void, signal: AbortSignal): Promise<Blob> {
  const body = 'container' in source ? { ...source, partitionKey: ascii(source.partitionKey) } : source
  const response = await fetch(`${api}/export${scopeQuery()}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ...body, format }), redirect: 'error', signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new Problem(0, 'NoConnection', 'The emulator does not answer. Is it still running?')
  })
  if (!response.ok) {
    throw problemOf({ status: response.status, headers: response.headers, text: await response.text(), milliseconds: 0 })
  }
  try {
    return await collect(response, progress)
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error('The emulator could not read all pages: the export ended early, and nothing is saved.')
  }
}

async function collect(response: Response, progress: (bytes: number) => void): Promise<Blob> {
  const reader = response.body!.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
    parts.push(value)
    progress((bytes += value.length))
  }
}
