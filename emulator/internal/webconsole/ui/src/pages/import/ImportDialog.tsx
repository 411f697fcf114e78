import { useEffect, useRef, useState } from 'react'
import { load, preview, type Preview, type Report, type Target } from '../../api/imports'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check, Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { exportOf } from './exportFolder'
import { FilePreview } from './FilePreview'
import { ImportReport } from './ImportReport'
import { keyTexts, NewTableFields, proposal, type NewTableForm } from './NewTableFields'

const itemFormats = [
  { value: '', label: 'Found by the content' }, { value: 'json', label: 'JSON lines or array' },
  { value: 'dynamodb-json', label: 'DynamoDB JSON' }, { value: 'csv', label: 'CSV' },
]
const tableFormats = [
  { value: 'workbench', label: 'NoSQL Workbench model' }, { value: 'describe-table', label: 'describe-table' },
]

/** The choice of a new table. Tables have no spaces in their names. */
const newTable = 'new table'

/**
 * ImportDialog imports a file into a table or container, or creates the tables that a file describes. Without a target, tables
 * are those to choose from, besides a new one.
 */
export default function ImportDialog({ target, tables, onClose }: { target?: Target; tables?: string[]; onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [into, setInto] = useState<Target>(target ?? { table: '' })
  const [creates, setCreates] = useState(tables?.length === 0)
  const [fresh, setFresh] = useState<NewTableForm>()
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
    preview(file, { ...into, format, delimiter }, controller.signal).then((first) => {
      setFound(first)
      setFresh(proposal(file.name, first))
    }, (e: Error) => {
      if (!controller.signal.aborted) setError(e)
    })
    return () => controller.abort()
  }, [file, into, format, delimiter])
  useEffect(() => () => running.current?.abort(), [])

  const busy = share !== undefined
  const describes = (found?.tables.length ?? 0) > 0
  const isNew = creates && !describes
  const choose = (table: string) => {
    setCreates(table === newTable)
    if (table !== newTable || name) setInto({ table: table === newTable ? '' : table })
  }
  const chooseFolder = (files: File[]) => {
    setFile(undefined)
    exportOf(files).then(setFile, setError)
  }
  const run = async () => {
    if (!file || share !== undefined) return
    const controller = (running.current = new AbortController())
    setError(undefined)
    setShare(0)
    try {
      const to = isNew && fresh ? { create: fresh.name, key: keyTexts(fresh) } : into
      setReport(await load(file, { ...to, format, delimiter }, skip, setShare, controller.signal))
    } catch (e) {
      setError(controller.signal.aborted ? new Error('The import was stopped. What was written until then stays.') : e as Error)
    }
    setShare(undefined)
  }
  const isContainer = 'container' in into
  const name = isContainer ? into.container : into.table
  const isReady = isNew ? fresh?.name && fresh.partition.name : isContainer ? !describes : describes || name
  const ready = found && !found.problem && isReady
  return (
    <Dialog title={target ? <>Import into <bdi>{name}</bdi></> : 'Import a file'} place="side" onClose={onClose} onSubmit={() => void run()} footer={<>
      <Button onPress={busy ? () => running.current?.abort() : onClose}>{busy ? 'Stop' : report ? 'Close' : 'Cancel'}</Button>
      <Button type="submit" kind="primary" isDisabled={busy || !ready}>{report ? 'Import again' : 'Import'}</Button>
    </>}>
      <TextField label="File" type="file" autoFocus disabled={busy}
        hint={`JSON, DynamoDB JSON, CSV${isContainer ? '' : ', a NoSQL Workbench model, the output of describe-table'}; gzip is understood`}
        onInput={(e) => setFile(e.currentTarget.files?.[0])} />
      {!isContainer && <TextField label="Or the folder of an export" type="file" {...{ webkitdirectory: '' }} disabled={busy}
        hint="As ExportTableToPointInTime writes it, in DynamoDB JSON" onInput={(e) => chooseFolder([...(e.currentTarget.files ?? [])])} />}
      <div className="form-grid">
        <Select label="Format" value={format} onChange={setFormat} options={isContainer ? itemFormats : [...itemFormats, ...tableFormats]} disabled={busy} />
        {(format || found?.format) === 'csv' && (
          <Select label="Delimiter" value={delimiter} onChange={setDelimiter} disabled={busy} options={[
            { value: ',', label: 'Comma' }, { value: ';', label: 'Semicolon' }, { value: '\t', label: 'Tab' }, { value: '|', label: '|' },
          ]} />
        )}
      </div>
      {tables && found && !describes && (
        <Select label="Table" value={creates ? newTable : name} onChange={choose} disabled={busy}
          options={[{ value: '', label: 'Choose a table' }, { value: newTable, label: 'A new table' }, ...tables]} />
      )}
      {found && isNew && fresh && <NewTableFields table={fresh} onChange={setFresh} />}
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
