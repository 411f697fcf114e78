/** Imports of files: the emulator reads them, so that the console understands what tabletop import does. */
import type { Item, AttributeType } from '../values/attribute'
import { scopeQuery } from './dynamodb'
import { announce } from './events'
import { api, Problem, problemOf, send, type Answer } from './http'

export interface Invalid { place: string; reason: string; text: string }

/** DescribedTable is a table that a file describes. */
export interface DescribedTable {
  name: string
  key: { AttributeName: string; AttributeType: string }[]
  indexes: string[]
  exists: boolean
}

/** Preview is the beginning of a file. problem says why it cannot be read any further. */
export interface Preview {
  format: string
  tables: DescribedTable[]
  items: Item[]
  types: { name: string; types: AttributeType[] }[]
  /** What the first items propose as the key of a new table; empty if no attribute can be a key. */
  key: DescribedTable['key']
  invalid: Invalid[]
  problem?: string
}

/** Report is what an import did. error says why it ended before the end of the file. */
export interface Report {
  tables: string[]
  created: string[]
  written: number
  deleted: number
  invalid: number
  invalidLines: Invalid[]
  capacityUnits: number
  requestUnits: number
  seconds: number
  error?: string
}

/** Target is the table or the container of an import; an empty table is for files that describe theirs. */
export type Target = { table: string } | { database: string; container: string }

/** NewTable is a table that an import creates: its name and the attributes of its key, as NAME:TYPE. */
export interface NewTable { create: string; key: string[] }

/** How to read a file: an empty format is found by the content. */
export type Reading = (Target | NewTable) & { format: string; delimiter: string }

/** How much of a file its preview reads, in bytes. */
const previewSize = 8 << 20

/** The emulator accepts only requests that no other site's page can make: their content type says JSON, whatever the file is. */
const headers = { 'Content-Type': 'application/json' }

/** scoped adds the chosen region, and access key, to the parameters of a request. */
function scoped(parameters: Record<string, string | string[]>): string {
  const all = new URLSearchParams(scopeQuery())
  Object.entries(parameters).forEach(([name, values]) => [values].flat().forEach((value) => all.append(name, value)))
  return `?${all.toString()}`
}

/** preview reads the beginning of a file. Errors: Problem. */
export async function preview(file: File, reading: Reading, signal: AbortSignal): Promise<Preview> {
  const parameters = { ...reading, partial: String(file.size > previewSize) }
  const answer = await send(`${api}/import/preview${scoped(parameters)}`, { method: 'POST', headers, body: file.slice(0, previewSize), signal })
  if (answer.status !== 200) throw problemOf(answer)
  return JSON.parse(answer.text) as Preview
}

/** load imports a file. progress is told how much the emulator has taken, from 0 to 1. Errors: Problem, or an abort. */
export async function load(file: File, reading: Reading, skip: boolean, progress: (share: number) => void, signal: AbortSignal): Promise<Report> {
  const parameters = { ...reading, invalid: skip ? 'skip' : 'stop' }
  const answer = await upload(`${api}/import/load${scoped(parameters)}`, file, progress, signal)
  if (answer.status !== 200) throw problemOf(answer)
  const report = JSON.parse(answer.text) as Report
  const cloud = 'container' in reading ? 'cosmos' : 'dynamodb'
  announce({ cloud, kind: 'schema', name: '' })
  report.tables.forEach((name) => announce({ cloud, kind: 'items', name }))
  return report
}

/** upload sends a file. Only XMLHttpRequest tells how much of it has been sent. */
function upload(path: string, file: File, progress: (share: number) => void, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Content-Type', headers['Content-Type'])
    request.upload.onprogress = (e) => progress(e.total > 0 ? e.loaded / e.total : 0)
    request.onload = () => resolve({
      status: request.status, text: request.responseText, milliseconds: performance.now() - start, headers: new Headers(),
    })
    request.onerror = () => reject(new Problem(0, 'NoConnection', 'The emulator does not answer. Is it still running?'))
    request.onabort = () => reject(new DOMException('The import was stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
