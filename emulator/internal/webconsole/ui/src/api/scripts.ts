/** Scripts of Cosmos DB: stored procedures, triggers and user-defined functions. */
import { print } from '../values/losslessJson'
import { ascii } from '../values/document'
import { all, path, request } from './cosmos'

export type Kind = 'sprocs' | 'triggers' | 'udfs'

export interface Script {
  id: string
  body: string
  _etag: string
  /** Of triggers. */
  triggerType?: 'Pre' | 'Post'
  triggerOperation?: 'All' | 'Create' | 'Replace' | 'Delete' | 'Update'
}

/** A new script has no ETag. */
export type Draft = Omit<Script, '_etag'> & { _etag?: string }

const feeds: Record<Kind, string> = { sprocs: 'StoredProcedures', triggers: 'Triggers', udfs: 'UserDefinedFunctions' }

/** scripts reads all scripts of a kind. Errors: Problem. */
export const scripts = (db: string, container: string, kind: Kind) => all<Script>(path('dbs', db, 'colls', container, kind), feeds[kind])

/** saveScript creates a script, or replaces one if it is still as it was read. Errors: Problem; 412 if it is not. */
export async function saveScript(db: string, container: string, kind: Kind, script: Draft) {
  const feed = path('dbs', db, 'colls', container, kind)
  const { _etag, ...content } = script
  if (_etag === undefined) await request('POST', feed, {}, JSON.stringify(content))
  else await request('PUT', feed + path(script.id), { 'If-Match': _etag }, JSON.stringify(content))
}

/** deleteScript deletes a script if it is still as it was read. Errors: Problem. */
export async function deleteScript(db: string, container: string, kind: Kind, script: Script) {
  await request('DELETE', path('dbs', db, 'colls', container, kind, script.id), { 'If-Match': script._etag })
}

export interface Execution {
  /** The response's body; '' if the procedure set none. */
  result: string
  /** What the procedure wrote with console.log. */
  log: string
  charge: number
  milliseconds: number
}

/** execute runs a stored procedure on a logical partition. key and parameters are JSON arrays. Errors: Problem. */
export async function execute(db: string, container: string, id: string, key: string, parameters: string): Promise<Execution> {
  const reply = await request('POST', path('dbs', db, 'colls', container, 'sprocs', id), {
    'x-ms-documentdb-partitionkey': ascii(key), 'x-ms-documentdb-script-enable-logging': 'true',
  }, parameters)
  return {
    result: reply.node ? print(reply.node) : '', charge: reply.charge, milliseconds: reply.milliseconds,
    log: decodeURIComponent(reply.headers.get('x-ms-documentdb-script-log-results') ?? ''),
  }
}
