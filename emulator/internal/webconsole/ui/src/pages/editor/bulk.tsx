export interface Failure<T> { item: T; error: Error }

/** runAll runs a write for each item, eight at a time, and returns those that failed. */
export async function runAll<T>(items: T[], write: (item: T) => Promise<unknown>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const item = items[next++]!
      await write(item).catch((error: Error) => failures.push({ item, error }))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return failures
}

/** BulkErrors lists the items whose write failed, by the texts of their keys. */
export function BulkErrors<T>({ failures, keyOf }: { failures: Failure<T>[]; keyOf: (item: T) => string[] }) {
  if (failures.length === 0) return null
  return (
    <div className="message error" role="alert">
      <strong>{failures.length} failed; the others are done.</strong>
      <ul>{failures.slice(0, 20).map(({ item, error }, i) => (
        <li key={i}><code><bdi>{keyOf(item).join(' / ')}</bdi></code>: {error.message}</li>
      ))}</ul>
    </div>
  )
}
