import { useState } from 'react'
import { load, type Report } from '../../api/imports'
import type { Model } from '../../model/model'
import { removeValue } from '../../values/editJson'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { ImportReport } from '../import/ImportReport'

/** CreateDialog creates the tables of a model, by the import of its text. */
export default function CreateDialog({ model, text, onClose }: { model: Model; text: string; onClose: () => void }) {
  const [withItems, setWithItems] = useState(true)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const [report, setReport] = useState<Report>()
  const create = async () => {
    setBusy(true)
    setError(undefined)
    const content = withItems ? text : model.DataModel.reduce((all, _, i) => removeValue(all, ['DataModel', i, 'TableData']), text)
    const file = new File([content], 'model.json')
    try {
      setReport(await load(file, { table: '', format: 'workbench', delimiter: ',' }, false, () => undefined, new AbortController().signal))
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  return (
    <Dialog title="Create the tables of this model" onClose={onClose} onSubmit={() => void create()} footer={<>
      <Button onPress={onClose}>{report ? 'Close' : 'Cancel'}</Button>
      {!report && <Button type="submit" kind="primary" isDisabled={busy}>Create</Button>}
    </>}>
      {report ? <ImportReport report={report} isContainer={false} onOpen={onClose} /> : (
        <>
          <ul aria-label="Tables of the model">{model.DataModel.map((t) => <li key={t.TableName} className="break"><bdi>{t.TableName}</bdi></li>)}</ul>
          <Check checked={withItems} onChange={setWithItems} disabled={busy}>With the sample items</Check>
          <p className="hint">A table that exists with the same key stays as it is, and gets the sample items.</p>
        </>
      )}
      <ErrorMessage error={error} />
    </Dialog>
  )
}
