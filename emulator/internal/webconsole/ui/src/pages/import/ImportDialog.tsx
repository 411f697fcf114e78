import { useEffect, useRef, useState } from 'react'
import { load, preview, type Preview, type Report, type Target } from '../../api/imports'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check, Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { FilePreview } from './FilePreview'
import { ImportReport } from './ImportReport'

const itemFormats = [
  { value: '', label: 'Found by the content' }, { value: 'json', label: 'JSON lines or array' },
  { value: 'dynamodb-json', label: 'DynamoDB JSON' }, { value: 'csv', label: 'CSV' },
]
const tableFormats = [
  { value: 'workbench', label: 'NoSQL Workbench model' }, { value: 'describe-table', label: 'describe-table' },
]

/**
 * ImportDialog imports a file into a table or container, or creates the tables that a file describes. Without a target, tables
 * are those to choose from.
 */
export default function ImportDialog({ target, tables, onClose }: { target?: Target; tables?: string[]; onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [into, setInto] = useState<Target>(target ?? { table: '' })
  const [format, setFormat] = useState('')
  const [delimiter, setDelimiter] = useState(',')
  const [skip, setSkip] = useState(false)
  const [found, setFound] = useState<Preview>()
  const [error, setError] = useState<Error>()
  const [share, setShare] = useState<number>()
  const [report, setReport] = useState<Report>()
  const running = useRef<AbortController>(undefined)

  useEffect(() => {
    setFound(undefined)
    setReport(undefined)
    setError(undefined)
    if (!file) return
    const controller = new AbortController()
    preview(file, { ...into, format, delimiter }, controller.signal).then(setFound, (e: Error) => {
      if (!controller.signal.aborted) setError(e)
    })
    return () => controller.abort()
  }, [file, into, format, delimiter])
  useEffect(() => () => running.current?.abort(), [])

  const run = async () => {
    if (!file || share !== undefined) return
    const controller = (running.current = new AbortController())
    setError(undefined)
    setShare(0)
    try {
      setReport(await load(file, { ...into, format, delimiter }, skip, setShare, controller.signal))
    } catch (e) {
      setError(controller.signal.aborted ? new Error('The import was stopped. What was written until then stays.') : e as Error)
    }
    setShare(undefined)
  }
  const busy = share !== undefined
  const describes = (found?.tables.length ?? 0) > 0
  const isContainer = 'container' in into
  const name = isContainer ? into.container : into.table
  const ready = found && !found.problem && (isContainer ? !describes : describes || name)
  return (
    <Dialog title={target ? <>Import into <bdi>{name}</bdi></> : 'Import a file'} place="side" onClose={onClose} onSubmit={() => void run()} footer={<>
      <Button onPress={busy ? () => running.current?.abort() : onClose}>{busy ? 'Stop' : report ? 'Close' : 'Cancel'}</Button>
      <Button type="submit" kind="primary" isDisabled={busy || !ready}>{report ? 'Import again' : 'Import'}</Button>
    </>}>
      <TextField label="File" type="file" autoFocus disabled={busy}
        hint={`JSON, DynamoDB JSON, CSV${isContainer ? '' : ', a NoSQL Workbench model, the output of describe-table'}; gzip is understood`}
        onInput={(e) => setFile(e.currentTarget.files?.[0])} />
      <div className="form-grid">
        <Select label="Format" value={format} onChange={setFormat} options={isContainer ? itemFormats : [...itemFormats, ...tableFormats]} disabled={busy} />
        {(format || found?.format) === 'csv' && (
          <Select label="Delimiter" value={delimiter} onChange={setDelimiter} disabled={busy} options={[
            { value: ',', label: 'Comma' }, { value: ';', label: 'Semicolon' }, { value: '\t', label: 'Tab' }, { value: '|', label: '|' },
          ]} />
        )}
      </div>
      {tables && found && !describes && (
        <Select label="Table" value={name} onChange={(table) => setInto({ table })} disabled={busy}
          options={[{ value: '', label: 'Choose a table' }, ...tables]}
          hint={tables.length === 0 && 'There is no table: create one first, or import a file that describes its tables'} />
      )}
      <Check checked={skip} onChange={setSkip} disabled={busy}>Skip invalid lines</Check>
      {busy && <Progress share={share} />}
      <ErrorMessage error={error} />
      {report ? <ImportReport report={report} isContainer={isContainer} onOpen={onClose} /> : found && <FilePreview found={found} />}
    </Dialog>
  )
}

function Progress({ share }: { share: number }) {
  const percent = Math.floor(share * 100)
  return (
    <div className="stack tight">
      <progress aria-label="Import" max={100} value={percent} style={{ width: '100%' }} />
      <span className="muted">{percent === 100 ? 'Writing the last items…' : `${percent}% of the file`}</span>
    </div>
  )
}
