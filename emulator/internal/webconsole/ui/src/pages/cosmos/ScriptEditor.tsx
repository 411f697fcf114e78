import { useState } from 'react'
import { deleteScript, saveScript, type Draft, type Kind, type Script } from '../../api/scripts'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Dialog } from '../../widgets/Dialog'
import { Select, TextField } from '../../widgets/Field'
import { scriptLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

const names: Record<Kind, string> = { sprocs: 'stored procedure', triggers: 'trigger', udfs: 'user-defined function' }

/** What a new script begins with. */
const bodies: Record<Kind, string> = {
  sprocs: `function procedure(name) {
  getContext().getResponse().setBody('Hello, ' + name)
}
`,
  triggers: `function trigger() {
  const request = getContext().getRequest()
  const item = request.getBody()
  item.changed = new Date().toISOString()
  request.setBody(item)
}
`,
  udfs: `function rounded(value) {
  return Math.round(value)
}
`,
}

interface Props { kind: Kind; database: string; container: string; script?: Script; onClose: () => void }

/** ScriptEditor edits a script, and saves it only if it is still as it was read. */
export function ScriptEditor({ kind, database, container, script, onClose }: Props) {
  const [start] = useState<Draft>(() => script ?? {
    id: '', body: bodies[kind], ...(kind === 'triggers' && { triggerType: 'Pre', triggerOperation: 'All' }),
  })
  const [draft, setDraft] = useState(start)
  const [error, setError] = useState<Error>()
  const change = (part: Partial<Draft>) => setDraft((d) => ({ ...d, ...part }))
  const attempt = (action: Promise<unknown>, done: string) => action.then(() => {
    toast(done)
    onClose()
  }, setError)
  const save = () => attempt(saveScript(database, container, kind, draft), `The ${names[kind]} is saved`)
  const remove = () => confirm(`Delete the ${names[kind]} ${draft.id}?`) &&
    void attempt(deleteScript(database, container, kind, script!), `The ${names[kind]} is deleted`)
  const close = () => (draft === start || confirm('Discard the changes to this script?')) && onClose()
  return (
    <Dialog title={script ? <bdi>{script.id}</bdi> : `New ${names[kind]}`} place="side" onClose={close} footer={<>
      {script && <Button kind="danger" icon="trash" onPress={remove}>Delete</Button>}
      <span className="grow" />
      <Button kind="primary" onPress={save} isDisabled={!draft.id || draft === start}>{script ? 'Save if unchanged' : 'Create'}</Button>
    </>}>
      {!script && <TextField label="Name" value={draft.id} onChange={(id) => change({ id })} autoFocus />}
      {kind === 'triggers' && (
        <div className="row top">
          <Select label="Runs" value={draft.triggerType ?? 'Pre'} onChange={(triggerType) => change({ triggerType })}
            options={[{ value: 'Pre', label: 'Before the write' }, { value: 'Post', label: 'After the write' }]} />
          <Select label="Operation" value={draft.triggerOperation ?? 'All'} onChange={(triggerOperation) => change({ triggerOperation })}
            options={['All', 'Create', 'Replace', 'Delete', 'Update']} />
        </div>
      )}
      <CodeEditor label="Body" value={draft.body} onChange={(body) => change({ body })} onRun={save} language={scriptLanguage} lines size="tall" />
      <ErrorMessage error={error} />
    </Dialog>
  )
}
