import type { Item } from '../../values/attribute'
import { keyNames, keyTexts, type Table } from '../../values/table'
import { BulkDelete, type Undo } from '../editor/BulkDelete'
import { put, readItem, remove } from '../editor/writes'

/** DeleteItems deletes items of a table, with all their attributes, also if only some of them are shown. */
export function DeleteItems({ table, ...rest }: { table: Table; items: Item[]; onClose: () => void; onDone: () => void }) {
  const keys = keyNames(table.KeySchema)
  const removeOne = async (item: Item): Promise<Undo | undefined> => {
    const whole = await readItem(table, item)
    if (!whole) return undefined
    await remove(table, whole)
    return () => put(table, undefined, whole)
  }
  return <BulkDelete from={table.TableName} keys={keys} keyOf={(item) => keyTexts(keys, item)} remove={removeOne} {...rest} />
}
