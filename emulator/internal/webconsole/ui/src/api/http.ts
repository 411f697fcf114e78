/** Requests to the emulator that served this page. */

export const base = '/_tabletop/console'
export const api = `${base}/api`

/** The page about the admin API, which the emulator serves itself. */
export const apiDocs = '/_tabletop/docs'

/** Problem is a refused request: what happened, and the service's code if it has one. */
export class Problem extends Error {
  status: number
  code: string
  /** The service's whole answer, for the details. */
  body: string
  /** The id that the service gave the request, of Cosmos DB only. */
  activity: string
  constructor(status: number, code: string, message: string, body = '', activity = '') {
    super(message)
    this.status = status
    this.code = code
    this.body = body
    this.activity = activity
  }
}

export interface Answer { status: number; headers: Headers; text: string; milliseconds: number }

/** send makes a request. Errors: Problem with status 0 if no emulator answers, or an abort. */
export async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const start = performance.now()
  try {
    const response = await fetch(path, { ...init, redirect: 'error' })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, milliseconds: performance.now() - start }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, 'NoConnection', 'The emulator does not answer. Is it still running?')
  }
}

/** json makes a request with a JSON body to the admin API or the console's own. Errors: Problem. */
export async function json<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const answer = await send(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (answer.status >= 400) throw problemOf(answer)
  return (answer.text ? JSON.parse(answer.text) : undefined) as T
}

/** problemOf reads problem details (RFC 9457). */
export function problemOf(answer: Answer): Problem {
  try {
    const details = JSON.parse(answer.text) as { title?: string; detail?: string; errors?: { message?: string }[] }
    const reasons = details.errors?.map((e) => e.message).filter(Boolean).join('; ')
    return new Problem(answer.status, details.title ?? '', reasons || details.detail || details.title || '', answer.text)
  } catch {
    return new Problem(answer.status, '', answer.text || `Status ${answer.status}`, answer.text)
  }
}
