import { display, type Item } from '../../values/attribute'
import { keyNames, type Table } from '../../values/table'

export interface Failure { item: Item; error: Error }

/** runAll runs a write for each item, eight at a time, and returns those that failed. */
export async function runAll(items: Item[], write: (item: Item) => Promise<void>): Promise<Failure[]> {
  const failures: Failure[] = []
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

export function BulkErrors({ failures, table }: { failures: Failure[]; table: Table }) {
  if (failures.length === 0) return null
  const keys = keyNames(table.KeySchema)
  return (
    <div className="message error" role="alert">
      <strong>{failures.length} failed; the others are done.</strong>
      <ul>{failures.slice(0, 20).map(({ item, error }, i) => (
        <li key={i}><code><bdi>{keys.map((k) => item[k] && display(item[k], 60)).join(' / ')}</bdi></code>: {error.message}</li>
      ))}</ul>
    </div>
  )
}
