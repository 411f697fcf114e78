/** Models of NoSQL Workbench of tables that exist, which the emulator writes as tabletop export does. */
import { pretty } from '../values/pretty'
import { scopeQuery } from './dynamodb'
import { api, problemOf, send } from './http'

/** draftOf is the text of a model of a table, with its first items as samples. Errors: Problem. */
export async function draftOf(table: string, items: number): Promise<string> {
  const parameters = new URLSearchParams(scopeQuery())
  parameters.set('table', table)
  parameters.set('items', String(items))
  const answer = await send(`${api}/draft?${parameters.toString()}`, { method: 'POST', headers: { 'Content-Type': 'application/json' } })
  if (answer.status !== 200) throw problemOf(answer)
  return pretty(answer.text)
}
