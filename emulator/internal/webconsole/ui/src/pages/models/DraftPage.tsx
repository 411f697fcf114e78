import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from '../../app/router'
import { checkModel } from '../../model/check'
import { drafts, nameOf, saveDraft } from '../../model/drafts'
import { readModel, type Model } from '../../model/model'
import { download } from '../../values/download'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { ModelPicture } from './ModelPicture'

const CreateDialog = lazy(() => import('./CreateDialog'))

/** DraftPage edits a draft as the JSON of NoSQL Workbench, says what DynamoDB would refuse, and shows its picture. */
export default function DraftPage({ id }: { id: string }) {
  const [draft, setDraft] = useState(() => drafts().find((d) => d.id === id))
  const [error, setError] = useState<Error>()
  const [creating, setCreating] = useState(false)
  const { model, problems } = useMemo(() => examine(draft?.text ?? ''), [draft?.text])
  if (!draft) return <div className="empty"><h1>There is no such draft in this browser</h1><Link href="/dynamodb/models">Go to the data models</Link></div>
  const edit = (text: string) => {
    setDraft({ id, text })
    try {
      saveDraft(text, id)
      setError(undefined)
    } catch (e) {
      setError(e as Error)
    }
  }
  const name = nameOf(draft)
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
      <CodeEditor label="Model of NoSQL Workbench" value={draft.text} onChange={edit} language={jsonLanguage} check={checkWith(readModel)} lines />
      <Problems problems={problems} />
      {model?.DataModel.map((t, i) => <ModelPicture key={i} table={t} />)}
      {creating && model && <Suspense fallback={null}><CreateDialog model={model} onClose={() => setCreating(false)} /></Suspense>}
    </>
  )
}

function examine(text: string): { model: Model | undefined; problems: string[] } {
  try {
    const model = readModel(text)
    return { model, problems: checkModel(model) }
  } catch (error) {
    return { model: undefined, problems: [(error as Error).message] }
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
