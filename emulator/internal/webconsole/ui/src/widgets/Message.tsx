import { Problem } from '../api/http'

/** ErrorMessage shows what was refused and why, in the service's own words. */
export function ErrorMessage({ error }: { error: Error | undefined }) {
  if (!error) return null
  const code = error instanceof Problem ? error.code : ''
  return (
    <div className="message error" role="alert">
      {code && <strong>{code}: </strong>}
      {error.message}
    </div>
  )
}

/** Loading appears only if there is neither data nor an error yet. */
export function Loading({ what }: { what: string }) {
  return <p className="muted" role="status">Loading {what}…</p>
}
