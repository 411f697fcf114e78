import { useMemo, useState } from 'react'
import { Link, navigate, to } from '../../app/router'
import { deleteDraft, drafts, nameOf, saveDraft, type Draft } from '../../model/drafts'
import { printModel, readModel, type Model } from '../../model/model'
import { blank, templates } from '../../model/templates'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

/** ModelsPage lists the drafts of data models in this browser, and sample models to begin with. */
export default function ModelsPage() {
  const [all, setAll] = useState(drafts)
  const [error, setError] = useState<Error>()
  const samples = useMemo(() => templates.map((make) => make()), [])
  const attempt = async (action: () => void | Promise<void>) => {
    setError(undefined)
    try {
      await action()
    } catch (e) {
      setError(e as Error)
    }
  }
  const begin = (text: string) => navigate(to('dynamodb', 'models', saveDraft(text)))
  const open = (file: File | undefined) => attempt(async () => {
    if (!file) return
    const text = await file.text()
    readModel(text)
    begin(text)
  })
  const remove = (draft: Draft) => {
    deleteDraft(draft.id)
    setAll(drafts())
    toast(`${nameOf(draft)} is deleted`, { label: 'Undo', run: () => void attempt(() => { saveDraft(draft.text, draft.id); setAll(drafts()) }) })
  }
  return (
    <>
      <div className="page-head">
        <h1>Data models</h1>
        <Button kind="primary" icon="plus" onPress={() => void attempt(() => begin(printModel(blank())))}>New model</Button>
      </div>
      <ErrorMessage error={error} />
      <section className="panel" aria-labelledby="drafts">
        <div className="panel-head"><h2 id="drafts">Drafts</h2><span className="muted small">kept in this browser</span></div>
        <div className="panel-body stack">
          {all.length === 0 ? <p className="muted">No drafts yet: begin with a new model, a sample below, or a file.</p> : (
            <ul aria-label="Drafts" className="stack tight">
              {all.map((d) => (
                <li key={d.id} className="row">
                  <Link className="grow break" href={to('dynamodb', 'models', d.id)}><bdi>{nameOf(d)}</bdi></Link>
                  <Button kind="quiet" icon="trash" aria-label={`Delete ${nameOf(d)}`} onPress={() => remove(d)} />
                </li>
              ))}
            </ul>
          )}
          <TextField label="Open a file" type="file" accept=".json,application/json" hint="A model that NoSQL Workbench or tabletop export has written"
            onInput={(e) => void open(e.currentTarget.files?.[0])} />
        </div>
      </section>
      <h2>Sample models</h2>
      <div className="columns">
        {samples.map((m) => <Sample key={m.ModelName} model={m} onUse={() => void attempt(() => begin(printModel(m)))} />)}
      </div>
    </>
  )
}

function Sample({ model, onUse }: { model: Model; onUse: () => void }) {
  const { ModelName: name, ModelMetadata: { Description: description }, DataModel: tables } = model
  return (
    <section className="panel" aria-label={name}>
      <div className="panel-head">
        <h3>{name}</h3>
        <Button small aria-label={`Draft ${name}`} onPress={onUse}>Draft</Button>
      </div>
      <div className="panel-body stack tight">
        <p>{description}</p>
        <p className="muted small">Tables: {tables.map((t) => t.TableName).join(', ')}. Items: {tables.flatMap((t) => t.TableFacets).map((f) => f.FacetName).join(', ')}</p>
      </div>
    </section>
  )
}
