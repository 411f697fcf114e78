import { useCallback, useEffect, useMemo, useState } from 'react'
import { overview, session, signOut, type Overview, type Session } from '../api/console'
import { setScope } from '../api/dynamodb'
import { connected } from '../api/events'
import { Problem } from '../api/http'
import { Button } from '../widgets/Button'
import { ErrorMessage } from '../widgets/Message'
import { Toasts } from '../widgets/Toasts'
import { EmulatorContext, type Emulator } from './session'
import { Shell } from './Shell'
import { SignIn } from './SignIn'

/** App finds out who is there, asks them to sign in if the emulator has identities, and shows the console. */
export function App() {
  const [who, setWho] = useState<Session>()
  const [what, setWhat] = useState<Overview>()
  const [error, setError] = useState<Error>()

  const load = useCallback(async () => {
    setError(undefined)
    try {
      const current = await session()
      setWho(current)
      if (current.identities && !current.user) return
      await connected()
      setWhat(await overview())
    } catch (e) {
      setError(e as Error)
    }
  }, [])
  useEffect(() => void load(), [load])

  if (error && !(error instanceof Problem && error.status === 401)) {
    return <main className="main"><h1>Tabletop</h1><ErrorMessage error={error} /><div><Button onPress={load}>Try again</Button></div></main>
  }
  if (who?.identities && !who.user) return <SignIn onDone={load} />
  if (!who || !what) return null
  return <SignedIn session={who} overview={what} onSignOut={() => { setWhat(undefined); void signOut().then(load, setError) }} />
}

function SignedIn({ session, overview, onSignOut }: { session: Session; overview: Overview; onSignOut: () => void }) {
  const { dynamodb } = overview
  const [scope, choose] = useState(dynamodb.scopes[0] ?? dynamodb)
  const emulator = useMemo<Emulator>(() => {
    const { accessKeyId, region } = scope
    setScope(scope, dynamodb.isolated)
    return {
      session, overview: { ...overview, dynamodb: { ...dynamodb, accessKeyId } }, region, setScope: choose, signOut: onSignOut,
    }
  }, [session, overview, dynamodb, scope, onSignOut])
  return (
    <EmulatorContext.Provider value={emulator}>
      <Shell key={`${scope.accessKeyId}/${scope.region}`} />
      <Toasts />
    </EmulatorContext.Provider>
  )
}
