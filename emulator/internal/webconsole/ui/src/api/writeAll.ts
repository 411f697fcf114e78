import { call } from './dynamodb'

/** The most requests of one BatchWriteItem. */
const batch = 25

/** The pauses before the service is asked again for what it has left, in milliseconds; each is twice the one before. */
const pauses = { first: 50, longest: 2000 }

/**
 * writeAll puts and deletes items of a table in batches, and again those that the service has left: it throttles, or they are
 * too many at once. Errors: Problem.
 */
export async function writeAll(table: string, requests: unknown[]) {
  for (let i = 0; i < requests.length; i += batch) {
    let left = requests.slice(i, i + batch)
    for (let pause = pauses.first; left.length > 0; pause = Math.min(2 * pause, pauses.longest)) {
      const { output } = await call<{ UnprocessedItems?: Record<string, unknown[]> }>('BatchWriteItem', { RequestItems: { [table]: left } })
      left = output.UnprocessedItems?.[table] ?? []
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
