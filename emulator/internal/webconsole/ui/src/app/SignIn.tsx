import { useState } from 'react'
import { signIn } from '../api/console'
import { Button } from '../widgets/Button'
import { TextField } from '../widgets/Field'
import { ErrorMessage } from '../widgets/Message'

/** SignIn asks for an access key of a user of --identities; the console can then do what that user may. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await signIn(id.trim(), secret.trim()).then(onDone, setError)
    setBusy(false)
  }
  return (
    <main className="main" style={{ alignItems: 'center', paddingTop: '12vh' }}>
      <form className="panel panel-body stack" style={{ width: 'min(380px, 100%)' }} onSubmit={submit}>
        <h1>Sign in to Tabletop</h1>
        <p className="muted">This emulator has identities. Sign in with an access key of one of its users.</p>
        <TextField label="Access key ID" name="username" value={id} onChange={setId} autoComplete="username" autoFocus required mono />
        <TextField label="Secret access key" name="password" type="password" value={secret} onChange={setSecret}
          autoComplete="current-password" required mono />
        <ErrorMessage error={error} />
        <Button type="submit" kind="primary" isDisabled={busy || !id || !secret}>Sign in</Button>
      </form>
    </main>
  )
}
