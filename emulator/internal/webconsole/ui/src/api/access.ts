/** Why policies allow or deny something; see docs/console.md. */
import { api, json } from './http'

/** Access is an action on a resource, with the values of condition keys. */
export interface Access { action: string; resource: string; context?: Record<string, string[]> }

export interface Principal { arn: string; name: string; kind: 'users' | 'roles'; policies: string[] }

export interface Statement {
  policy: string; statement: string; kind: string; effect: 'Allow' | 'Deny'; applies: boolean; reasons: string[]
  /** It allowed or denied the request. */
  decides?: boolean
  /** Of those that could have allowed it, this one is closest to applying. */
  closest?: boolean
}

export interface Explanation { allowed: boolean; summary: string; statements: Statement[] }

/** principals are those about whose access the user may ask. */
export const principals = () => json<Principal[]>(`${api}/access`)

/** explain evaluates the policies of a principal, by its ARN. */
export const explain = (question: Access & { principal: string }) => json<Explanation>(`${api}/access/explain`, 'POST', question)
