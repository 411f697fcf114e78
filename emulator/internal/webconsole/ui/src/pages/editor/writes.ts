/** Writes of the editor and their undo. */
import { call } from '../../api/dynamodb'
import { Problem } from '../../api/http'
import { sameItem, type Item } from '../../values/attribute'
import { deleteIfUnchanged, isTooWide, putIfUnchanged } from '../../values/save'
import { keyNames, primaryKey, type Table } from '../../values/table'
import { toast } from '../../widgets/Toasts'

/** Conflict says that an item is not as it was read. */
export class Conflict extends Error {
  /** The item as it is now; undefined if it is gone. */
  current: Item | undefined
  constructor(current: Item | undefined) {
    super(current ? 'The item has changed since it was read' : 'The item was deleted since it was read')
    this.current = current
  }
}

export async function readItem(table: Table, item: Item): Promise<Item | undefined> {
  const input = { TableName: table.TableName, Key: primaryKey(table, item), ConsistentRead: true }
  return (await call<{ Item?: Item }>('GetItem', input)).output.Item
}

/** put replaces an item if it is unchanged, or creates one if before is undefined. Errors: Conflict, Problem. */
export async function put(table: Table, before: Item | undefined, after: Item) {
  if (before && isTooWide(before)) await compareFirst(table, before)
  await conditional(table, after, () => send(putIfUnchanged(table.TableName, keyNames(table.KeySchema), before, after)))
}

/** remove deletes an item if it is unchanged. Errors: Conflict, Problem. */
export async function remove(table: Table, before: Item) {
  if (isTooWide(before)) await compareFirst(table, before)
  await conditional(table, before, () => send(deleteIfUnchanged(table.TableName, keyNames(table.KeySchema), before)))
}

/** overwrite replaces whatever is there. */
export async function overwrite(table: Table, after: Item) {
  await call('PutItem', { TableName: table.TableName, Item: after, ReturnConsumedCapacity: 'TOTAL' })
}

const send = (request: { operation: string; input: unknown }) => call(request.operation, request.input)

/** compareFirst reads an item whose condition cannot name all of its attributes. */
async function compareFirst(table: Table, before: Item) {
  const now = await readItem(table, before)
  if (!now || !sameItem(now, before)) throw new Conflict(now)
}

async function conditional(table: Table, item: Item, write: () => Promise<unknown>) {
  try {
    await write()
  } catch (error) {
    if (error instanceof Problem && error.code === 'ConditionalCheckFailedException') throw new Conflict(await readItem(table, item))
    throw error
  }
}

/** offerUndo says what was done, with a button that takes it back, each step only if the item is still as written. */
export function offerUndo(text: string, undo: () => Promise<unknown>) {
  toast(text, {
    label: 'Undo',
    run: () => void undo().then(() => toast('Undone'), (error: Error) => toast(`Not undone: ${error.message}`)),
  })
}
