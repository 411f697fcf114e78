import { useState } from 'react'
import { call, type Tag } from '../../api/dynamodb'
import type { Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'
import { ChangeDialog } from './ChangeDialog'
import { tagChanges } from './changes'

/** TagsDialog sets and removes tags. Its rows have numbers, because keys change while they are typed. */
export function TagsDialog({ table, tags, onClose }: { table: Table; tags: Tag[]; onClose: () => void }) {
  const [rows, setRows] = useState(() => tags.map((tag, id) => ({ ...tag, id })))
  const set = (id: number, change: Partial<Tag>) => setRows(rows.map((r) => (r.id === id ? { ...r, ...change } : r)))
  const add = () => setRows([...rows, { Key: '', Value: '', id: Math.max(-1, ...rows.map((r) => r.id)) + 1 }])
  const save = async () => {
    const changes = tagChanges(tags, rows.map(({ Key, Value }) => ({ Key, Value })))
    if (changes.remove.length > 0) await call('UntagResource', { ResourceArn: table.TableArn, TagKeys: changes.remove })
    if (changes.set.length > 0) await call('TagResource', { ResourceArn: table.TableArn, Tags: changes.set })
  }
  return (
    <ChangeDialog title="Change tags" action="Save tags" done="The tags are saved" run={save} onClose={onClose}>
      {rows.map((r, i) => (
        <div key={r.id} className="row top" style={{ flexWrap: 'nowrap' }}>
          <TextField className="grow" label={`Key of tag ${i + 1}`} value={r.Key} onChange={(Key) => set(r.id, { Key })} />
          <TextField className="grow" label={`Value of tag ${i + 1}`} value={r.Value} onChange={(Value) => set(r.id, { Value })} />
          <Button kind="quiet" icon="trash" aria-label={`Remove tag ${i + 1}`} style={{ marginTop: 18 }}
            onPress={() => setRows(rows.filter((other) => other.id !== r.id))} />
        </div>
      ))}
      <div><Button small icon="plus" onPress={add}>Add tag</Button></div>
    </ChangeDialog>
  )
}
