import { useState } from 'react'
import { draftOf } from '../../api/drafts'
import { useAttempt } from '../../api/useAttempt'
import { navigate, to } from '../../app/router'
import { saveDraft } from '../../model/drafts'
import type { Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Select } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'

/** DraftDialog drafts a data model from a table that exists, with some of its items as samples. */
export default function DraftDialog({ table, onClose }: { table: Table; onClose: () => void }) {
  const [count, setCount] = useState('20')
  const { attempt, error, busy } = useAttempt(onClose)
  const draft = async () => {
    navigate(to('dynamodb', 'models', saveDraft(await draftOf(table.TableName, Number(count)))))
  }
  return (
    <Dialog title={<>Draft a data model from <bdi>{table.TableName}</bdi></>} onClose={onClose} onSubmit={() => void attempt(draft)} footer={<>
      <Button onPress={onClose}>Cancel</Button>
      <Button type="submit" kind="primary" isDisabled={busy}>Draft</Button>
    </>}>
      <Select label="Sample items" value={count} onChange={setCount} disabled={busy}
        options={[{ value: '0', label: 'None' }, ...['20', '100', '500'].map((n) => ({ value: n, label: `The first ${n}` }))]} />
      <ErrorMessage error={error} />
    </Dialog>
  )
}
