import { useEffect } from 'react'
import { useResource, type Resource } from './useResource'

/** usePolling loads something again and again, with a pause in between; a page that is hidden does not. */
export function usePolling<T>(key: string, load: () => Promise<T>, pauseMilliseconds: number): Resource<T> {
  const resource = useResource(key, load, () => false)
  const { data, error, reload } = resource
  useEffect(() => {
    let timer = setTimeout(again, pauseMilliseconds)
    function again() {
      if (document.hidden) timer = setTimeout(again, pauseMilliseconds)
      else reload()
    }
    return () => clearTimeout(timer)
  }, [data, error, reload, pauseMilliseconds])
  return resource
}
