import { useState } from 'react'
import { explain, principals, type Explanation } from '../../api/access'
import { useResource } from '../../api/useResource'
import { useEmulator } from '../../app/session'
import { Button } from '../../widgets/Button'
import { Select, TextArea, TextField } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { contextOf } from './context'
import { ExplanationView } from './ExplanationView'

/** AccessPage explains whether a user or role may do something, and why. */
export default function AccessPage() {
  const { session } = useEmulator()
  return (
    <>
      <div className="page-head"><h1>Access</h1></div>
      {session.identities ? <Ask /> : (
        <div className="empty">
          <h2>There are no identities</h2>
          <p>DynamoDB accepts any credentials, and denies nothing. To test policies, start the emulator with <code>--identities FILE</code>.</p>
        </div>
      )}
    </>
  )
}

function Ask() {
  const { session, overview: { dynamodb }, region } = useEmulator()
  const { data, error } = useResource('principals', principals, () => false)
  const [principal, setPrincipal] = useState('')
  const [action, setAction] = useState('dynamodb:GetItem')
  const [resource, setResource] = useState(`arn:aws:dynamodb:${region}:${dynamodb.accountId}:table/`)
  const [context, setContext] = useState('')
  const [answer, setAnswer] = useState<Explanation>()
  const [failure, setFailure] = useState<Error>()
  if (!data) return error ? <ErrorMessage error={error} /> : <Loading what="the users and roles" />
  const own = data.find((p) => p.name === session.user && p.kind === 'users') ?? data[0]
  const chosen = principal || (own?.arn ?? '')
  const ask = async (event: React.FormEvent) => {
    event.preventDefault()
    try {
      setAnswer(await explain({ principal: chosen, action: action.trim(), resource: resource.trim(), context: contextOf(context) }))
      setFailure(undefined)
    } catch (e) {
      setAnswer(undefined)
      setFailure(e as Error)
    }
  }
  return (
    <>
      <form className="panel panel-body stack" onSubmit={(e) => void ask(e)} aria-label="Question">
        <div className="form-grid">
          <Select label="Who" value={chosen} onChange={setPrincipal} options={data.map((p) => ({ value: p.arn, label: p.arn.split(':').pop()! }))} />
          <TextField label="Action" value={action} onChange={setAction} required mono />
          <TextField label="Resource" value={resource} onChange={setResource} required mono />
        </div>
        <TextArea label="Condition values" value={context} onChange={setContext} placeholder="dynamodb:LeadingKeys = ana, bob"
          hint="One condition key a line. Those of the user, its tags and the time are known." />
        <ErrorMessage error={failure} />
        <div className="row"><Button type="submit" kind="primary">Explain</Button></div>
      </form>
      {answer && (
        <section className="panel panel-body" aria-label="Explanation"><ExplanationView explanation={answer} /></section>
      )}
      {data.length === 1 && <p className="muted small">You see only your own access. A policy that allows <code>iam:SimulatePrincipalPolicy</code> shows that of others.</p>}
    </>
  )
}
