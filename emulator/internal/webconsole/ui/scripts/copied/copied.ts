/**
 * Runs what the console copies and shows as programs for Cosmos DB, with the real SDK, and fails if one prints something else
 * than the items that it asks for. Usage, in a folder in which COMMAND finds the SDK:
 *
 *   node copied.mjs ENDPOINT LANGUAGE FILE COMMAND…
 *
 * It creates the containers on the emulator at ENDPOINT, and for each query writes FILE and runs COMMAND.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { copyCosmosAs, type CosmosLanguage } from '../../src/copyas/cosmos/cosmos'
import type { Account } from '../../src/copyas/cosmos/query'
import { cosmosSnippets } from '../../src/pages/home/snippetTexts'
import { ascii } from '../../src/values/document'
import { cases, containers, type Case, type NewContainer } from './cases'

const [endpoint, language, file, command, ...args] = process.argv.slice(2) as [string, CosmosLanguage, string, string, ...string[]]
const api = `${endpoint}/_tabletop/console/api`

async function main(): Promise<void> {
  const { cosmos } = (await (await fetch(`${api}/overview`)).json()) as { cosmos: Account }
  for (const container of containers) await create(container)
  const failures = Object.entries(cases).map(([name, query]) => check(name, copyCosmosAs(language, query, cosmos), (printed) => isResult(printed, query)))
  const home = cosmosSnippets(cosmos.endpoint, cosmos.key)[`Cosmos DB: ${language}`]
  if (home) failures.push(check('the program of the home page', home, (printed) => printed.includes(containers[0]!.database)))
  process.exitCode = failures.includes(false) ? 1 : 0
}

async function create({ database, id, paths, items }: NewContainer): Promise<void> {
  await post('dbs', JSON.stringify({ id: database }))
  const colls = `dbs/${encodeURIComponent(database)}/colls`
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  await post(colls, JSON.stringify({ id, partitionKey }))
  for (const { key, body } of items) {
    await post(`${colls}/${encodeURIComponent(id)}/docs`, body, { 'x-ms-documentdb-partitionkey': ascii(key) })
  }
}

/** post creates a resource; one of an earlier language may be there. */
async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(`${api}/cosmos/${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  if (!response.ok && response.status !== 409) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** check runs a program, and reports whether it ended well and printed what it must. */
function check(name: string, program: string, isRight: (printed: string) => boolean): boolean {
  writeFileSync(file, program)
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  const passed = status === 0 && isRight(stdout)
  console.log(`${passed ? 'ok' : 'FAILED'}: ${language}, ${name}`)
  if (!passed) console.log(`${program}\nstatus ${status ?? error}\n${stdout}\n${stderr}`)
  return passed
}

/** isResult reports whether the lines are the wanted items as JSON, or one page of them as the service responds. */
function isResult(printed: string, { want, limit }: Case): boolean {
  const values = printed.split('\n').map(parse).filter((v) => v !== undefined)
  if (language === 'curl') {
    const page = (values[0] as { Documents: unknown[] }).Documents
    return page.length === Math.min(limit, want.length) && page.every((v) => want.some((w) => isDeepStrictEqual(v, w)))
  }
  return isDeepStrictEqual(sorted(values), sorted(want))
}

/** parse reads a line of JSON; undefined: it is not JSON, such as a warning of Python that is printed by Go. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function sorted(values: unknown[]): unknown[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

await main()
