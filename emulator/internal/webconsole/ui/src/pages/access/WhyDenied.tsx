import { useState } from 'react'
import { explain, type Explanation } from '../../api/access'
import type { Seen } from '../../api/requests'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'
import { ExplanationView } from './ExplanationView'

/** WhyDenied explains a request that policies do not allow: each access that it needed, or the one that was denied. */
export function WhyDenied({ seen }: { seen: Seen }) {
  const [answers, setAnswers] = useState<Explanation[]>()
  const [error, setError] = useState<Error>()
  const accesses = seen.accesses ?? []
  if (accesses.length === 0) return null
  const ask = () => {
    Promise.all(accesses.map((a) => explain({ ...a, principal: seen.user ?? '' }))).then((all) => {
      setError(undefined)
      setAnswers(all)
    }, setError)
  }
  return (
    <>
      {!answers && <div><Button onPress={ask}>Why was this denied?</Button></div>}
      <ErrorMessage error={error} />
      {answers?.map((answer, i) => (
        <section key={i} className="stack" aria-label="Why it was denied">
          <h3 className="break">{accesses[i]!.action} on <bdi>{accesses[i]!.resource}</bdi></h3>
          <ExplanationView explanation={answer} />
        </section>
      ))}
      {answers && <p className="muted small">By the policies as they are now. Session policies and the caller’s address are not known.</p>}
    </>
  )
}
