import { useEffect } from 'react'
import { overview as load, type Scope } from '../api/console'
import { useResource } from '../api/useResource'
import { Select } from '../widgets/Field'
import { useEmulator } from './session'

const nameOf = ({ accessKeyId, region }: Scope) => `${accessKeyId} · ${region}`

/**
 * ScopeSelect chooses the access key and the region whose tables the console shows, if each has its own. While there are
 * no tables to show, it chooses those that another client creates.
 */
export function ScopeSelect() {
  const { overview, region, setScope } = useEmulator()
  const current: Scope = { accessKeyId: overview.dynamodb.accessKeyId, region }
  const { data } = useResource('scopes', load, (change) => change.kind === 'schema')
  const scopes = data?.dynamodb.scopes ?? overview.dynamodb.scopes
  const known = scopes.some((scope) => nameOf(scope) === nameOf(current))
  const other = known ? undefined : scopes[0]
  useEffect(() => {
    if (other) setScope(other)
  }, [other, setScope])
  const options = known ? scopes : [current, ...scopes]
  return (
    <Select label="Access key and region" hideLabel value={nameOf(current)} options={options.map(nameOf)}
      onChange={(name) => setScope(options.find((scope) => nameOf(scope) === name) ?? current)} />
  )
}
