import { useEffect, useRef, useState } from 'react'
import { itemPath, partitionKeyHeader, path, query, request, type Container } from '../../api/cosmos'
import { call } from '../../api/dynamodb'
import { useAttempt } from '../../api/useAttempt'
import { writeAll } from '../../api/writeAll'
import type { Item } from '../../values/attribute'
import { keyNames, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

/** Progress is told how many more items are deleted, and answers whether to go on. */
type Progress = (deleted: number) => boolean

/** DeleteAll asks before it deletes all items of a table or container, page by page, and can be stopped. */
export function DeleteAll({ name, remove, onClose }: { name: string; remove: (progress: Progress) => Promise<void>; onClose: () => void }) {
  const [deleted, setDeleted] = useState(0)
  const stopped = useRef(false)
  const { attempt, error, busy } = useAttempt(onClose)
  const run = () => attempt(async () => {
    let all = 0
    await remove((n) => {
      setDeleted((all += n))
      return !stopped.current
    })
    toast(`${all.toLocaleString('en-US')} items of ${name} are deleted${stopped.current ? '; then it was stopped' : ''}`)
  })
  const stop = () => {
    stopped.current = true
    if (!busy) onClose()
  }
  useEffect(() => () => void (stopped.current = true), [])
  return (
    <Dialog role="alertdialog" title="Delete all items" onClose={stop} footer={<>
      <Button onPress={stop} autoFocus>{busy ? 'Stop' : 'Cancel'}</Button>
      <Button kind="danger primary" onPress={run} isDisabled={busy}>{busy ? `${deleted.toLocaleString('en-US')} deleted` : 'Delete all items'}</Button>
    </>}>
      <p>All items of <strong className="break"><bdi>{name}</bdi></strong> are deleted, also those that are written meanwhile. This cannot be undone.</p>
      <ErrorMessage error={error} />
    </Dialog>
  )
}

/** How many items are deleted until the next step of the progress. */
const step = 200

/** emptyTable deletes the items of a table, until there are none. */
export async function emptyTable(table: Table, progress: Progress) {
  const names = keyNames(table.KeySchema)
  const keys = {
    TableName: table.TableName, ProjectionExpression: names.map((_, i) => `#k${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((n, i) => [`#k${i}`, n])), Limit: step,
  }
  let next: Item | undefined
  do {
    const { output } = await call<{ Items: Item[]; LastEvaluatedKey?: Item }>('Scan', { ...keys, ...(next && { ExclusiveStartKey: next }) })
    await writeAll(table.TableName, output.Items.map((Key) => ({ DeleteRequest: { Key } })))
    if (!progress(output.Items.length)) return
    next = output.LastEvaluatedKey
  } while (next)
}

/** emptyContainer deletes the items of a container, until a query finds none. */
export async function emptyContainer(database: string, container: Container, progress: Progress) {
  const docs = path('dbs', database, 'colls', container.id, 'docs')
  for (;;) {
    const page = await query(database, container.id, 'SELECT * FROM c', { limit: 100 })
    if (page.documents.length === 0) return
    await Promise.all(page.documents.map((d) => request('DELETE', itemPath(docs, d),
      { 'x-ms-documentdb-partitionkey': partitionKeyHeader(d, container.partitionKey.paths) })))
    if (!progress(page.documents.length)) return
  }
}
