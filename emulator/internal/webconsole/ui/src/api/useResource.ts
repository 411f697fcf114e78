import { useCallback, useEffect, useRef, useState } from 'react'
import { onChange, type Change } from './events'

export interface Resource<T> { data: T | undefined; error: Error | undefined; loading: boolean; reload: () => void }

/**
 * useResource loads something, and loads it again when a change is of interest. The previous data stays until the new is
 * there, so that a page does not flicker. key says what is loaded: a new key forgets the data.
 */
export function useResource<T>(key: string, load: () => Promise<T>, concerns: (change: Change) => boolean): Resource<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error; loading: boolean }>({ key, loading: true })
  const latest = useRef({ load, concerns })
  latest.current = { load, concerns }
  const running = useRef(0)

  const reload = useCallback(() => {
    const id = ++running.current
    const current = () => id === running.current
    latest.current.load().then(
      (data) => current() && setState({ key, data, loading: false }),
      (error: Error) => current() && setState((s) => ({ ...(s.key === key && s.data !== undefined && { data: s.data }), key, error, loading: false })),
    )
  }, [key])

  useEffect(() => {
    reload()
    const stop = onChange((change) => latest.current.concerns(change) && reload())
    return () => {
      running.current++
      stop()
    }
  }, [reload])

  if (state.key !== key) return { data: undefined, error: undefined, loading: true, reload }
  return { data: state.data, error: state.error, loading: state.loading, reload }
}

/** concernsTable is true of changes to a table of DynamoDB; an empty name means everything. */
export function concernsTable(name: string, kind?: Change['kind']) {
  return (c: Change) => c.cloud === 'dynamodb' && (c.name === name || c.name === '') && (!kind || c.kind === kind)
}

/** concernsContainer is true of changes to a container of Cosmos DB; an empty name means everything. */
export function concernsContainer(database: string, container: string, kind: Change['kind']) {
  return (c: Change) => c.cloud === 'cosmos' && (c.name === `${database}/${container}` || c.name === '') && c.kind === kind
}

export function concernsCloud(cloud: Change['cloud']) {
  return (c: Change) => c.cloud === cloud
}
