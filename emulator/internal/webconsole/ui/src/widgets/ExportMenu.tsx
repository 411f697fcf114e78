import { useEffect, useRef, useState } from 'react'
import { exportAll, type ExportFormat, type Source } from '../api/exports'
import { save } from '../values/download'
import { bytes } from '../values/size'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { Menu, type Action } from './Menu'
import { ErrorMessage } from './Message'
import { toast } from './Toasts'

const formats: { format: ExportFormat; label: string; extension: string }[] = [
  { format: 'csv', label: 'CSV', extension: 'csv' },
  { format: 'json', label: 'JSON lines', extension: 'jsonl' },
  { format: 'dynamodb-json', label: 'DynamoDB JSON lines', extension: 'ddb.jsonl' },
]

/**
 * ExportMenu exports what is shown, by the actions given, and, if there is more on later pages, all of it. name is the file's,
 * without an extension.
 */
export function ExportMenu({ name, shown, all }: { name: string; shown: Action[]; all: Source | undefined }) {
  const [chosen, choose] = useState<(typeof formats)[number]>()
  const whole = !all ? [] : formats.filter((f) => 'operation' in all || f.format !== 'dynamodb-json').map((f): Action => ({
    id: `all-${f.format}`, label: `All pages as ${f.label}`, run: () => choose(f),
  }))
  return (
    <>
      <Menu small label="Export" icon="down" actions={[...shown, ...whole]} />
      {chosen && all && (
        <Exporting source={all} format={chosen.format} file={`${name}.${chosen.extension}`} onClose={() => choose(undefined)} />
      )}
    </>
  )
}

/** Exporting runs an export while it is open, and closes when the file is saved. */
function Exporting({ source, format, file, onClose }: { source: Source; format: ExportFormat; file: string; onClose: () => void }) {
  const [read, setRead] = useState(0)
  const [error, setError] = useState<Error>()
  const begun = useRef({ source, format, file, onClose }) // what is chosen does not change while it is open
  useEffect(() => {
    const { source, format, file, onClose } = begun.current
    const controller = new AbortController()
    exportAll(source, format, setRead, controller.signal).then((content) => {
      save(file, content)
      toast(`${file} is saved, ${bytes(content.size)}`)
      onClose()
    }, (e: Error) => {
      if (!controller.signal.aborted) setError(e)
    })
    return () => controller.abort()
  }, [])
  return (
    <Dialog title={<>Export to <bdi>{file}</bdi></>} role="alertdialog" onClose={onClose}
      footer={<Button onPress={onClose}>{error ? 'Close' : 'Stop'}</Button>}>
      {error ? <ErrorMessage error={error} /> : <p role="status">Reading all pages: {bytes(read)} so far</p>}
    </Dialog>
  )
}
