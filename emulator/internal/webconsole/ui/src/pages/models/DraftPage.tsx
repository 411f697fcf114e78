import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { Link } from '../../app/router'
import { problemsOf, textOf, type Problem } from '../../model/check'
import { drafts, nameOf, saveDraft } from '../../model/drafts'
import { editOf } from '../../model/edit'
import { readModel, type Model } from '../../model/model'
import { download } from '../../values/download'
import { Button } from '../../widgets/Button'
import { CodeEditor, type HistoryCommands } from '../../widgets/CodeEditor'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { Tabs } from '../../widgets/Tabs'
import { ModelForm } from './ModelForm'
import { ModelPicture } from './ModelPicture'

const CreateDialog = lazy(() => import('./CreateDialog'))

const views = ['Form', 'JSON'] as const

/** DraftPage edits a draft as a form or as the JSON of NoSQL Workbench, says what DynamoDB would refuse, and shows its picture. */
export default function DraftPage({ id }: { id: string }) {
  const [draft, setDraft] = useState(() => drafts().find((d) => d.id === id))
  const [error, setError] = useState<Error>()
  const [creating, setCreating] = useState(false)
  const [view, setView] = useState<(typeof views)[number]>('Form')
  const text = useRef(draft?.text ?? '')
  const history = useRef<HistoryCommands>(null)
  const { model, problems, mistake } = useMemo(() => examine(draft?.text ?? ''), [draft?.text])
  const change = useCallback((next: string) => {
    text.current = next
    setDraft({ id, text: next })
    try {
      saveDraft(next, id)
      setError(undefined)
    } catch (e) {
      setError(e as Error)
    }
  }, [id])
  const edit = useMemo(() => editOf(() => text.current, change), [change])
  if (!draft) return <div className="empty"><h1>There is no such draft in this browser</h1><Link href="/dynamodb/models">Go to the data models</Link></div>
  const name = nameOf(draft)
  const { undo, redo, canUndo, canRedo } = history.current ?? {}
  return (
    <>
      <div className="page-head">
        <div>
          <div className="crumbs"><Link href="/dynamodb/models">Data models</Link> /</div>
          <h1 className="break"><bdi>{name}</bdi></h1>
        </div>
        <div className="row">
          <Button isDisabled={!model} onPress={() => download(`${name}.json`, 'application/json', draft.text)}>Download</Button>
          <Button kind="primary" isDisabled={!model || problems.length > 0} onPress={() => setCreating(true)}>Create tables…</Button>
        </div>
      </div>
      <ErrorMessage error={error} />
      <Tabs label="Edit the draft as" tabs={views} selected={view} onSelect={setView} after={<>
        <Button small isDisabled={!canUndo?.()} onPress={() => undo?.()}>Undo</Button>
        <Button small isDisabled={!canRedo?.()} onPress={() => redo?.()}>Redo</Button>
      </>}>
        {/* The editor is there for both: its history is that of the draft. */}
        <div hidden={view !== 'JSON'}>
          <CodeEditor label="Model of NoSQL Workbench" value={draft.text} onChange={change} language={jsonLanguage} check={checkWith(readModel)} commands={history} lines />
        </div>
        {view === 'Form' && (model ? <div className="panel-body"><ModelForm model={model} problems={problems} edit={edit} /></div>
          : <div className="empty">The form shows the draft when its JSON has no mistake</div>)}
      </Tabs>
      <Problems problems={mistake ? [mistake] : problems.map(textOf)} />
      {model?.DataModel.map((t, i) => <ModelPicture key={i} table={t} />)}
      {creating && model && <Suspense fallback={null}><CreateDialog model={model} text={draft.text} onClose={() => setCreating(false)} /></Suspense>}
    </>
  )
}

function examine(text: string): { model?: Model; problems: Problem[]; mistake?: string } {
  try {
    const model = readModel(text)
    return { model, problems: problemsOf(model) }
  } catch (error) {
    return { problems: [], mistake: (error as Error).message }
  }
}

/** The most problems that are shown. */
const mostProblems = 20

function Problems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return <div className="message" role="status">DynamoDB’s rules allow this model</div>
  const more = problems.length - mostProblems
  return (
    <div className="message error" role="status">
      <strong>DynamoDB would refuse this model</strong>
      <ul>{problems.slice(0, mostProblems).map((p) => <li key={p} className="break">{p}</li>)}</ul>
      {more > 0 && <div>and {more} more</div>}
    </div>
  )
}
