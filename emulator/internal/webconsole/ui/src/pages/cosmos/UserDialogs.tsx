import { useState } from 'react'
import { createPermission, createToken, createUser, type Permission } from '../../api/users'
import { useAttempt } from '../../api/useAttempt'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'

export function CreateUser({ database, onClose }: { database: string; onClose: () => void }) {
  const [id, setId] = useState('')
  const { attempt, error, busy } = useAttempt(onClose)
  return (
    <Dialog title="Create user" onClose={onClose} onSubmit={() => void attempt(() => createUser(database, id))} footer={<>
      <Button onPress={onClose}>Cancel</Button><Button type="submit" kind="primary" isDisabled={!id || busy}>Create user</Button>
    </>}>
      <TextField label="User" value={id} onChange={setId} autoFocus />
      <ErrorMessage error={error} />
    </Dialog>
  )
}

/** CreatePermission gives a user access to a container, or to one of its logical partitions. */
export function CreatePermission({ database, containers, user, onClose }: { database: string; containers: string[]; user: string; onClose: () => void }) {
  const [id, setId] = useState('')
  const [mode, setMode] = useState<Permission['permissionMode']>('Read')
  const [container, setContainer] = useState(containers[0] ?? '')
  const [key, setKey] = useState('')
  const { attempt, error, busy } = useAttempt(onClose)
  const submit = () => attempt(async () => createPermission(database, user, {
    id, permissionMode: mode, resource: `dbs/${database}/colls/${container}`, ...(key.trim() && { resourcePartitionKey: readKey(key) }),
  }))
  return (
    <Dialog title="New permission" onClose={onClose} onSubmit={() => void submit()} footer={<>
      <Button onPress={onClose}>Cancel</Button><Button type="submit" kind="primary" isDisabled={!id || !container || busy}>Create permission</Button>
    </>}>
      <TextField label="Permission" value={id} onChange={setId} autoFocus />
      <Select label="Container" value={container} options={containers} onChange={setContainer} {...(containers.length === 0 && { hint: 'The database has no container yet.' })} />
      <Select label="Mode" value={mode} options={[{ value: 'Read', label: 'Read' }, { value: 'All', label: 'All: read and write' }]} onChange={setMode} />
      <TextField label="Partition key (optional)" value={key} onChange={setKey} mono placeholder='["customer-1"]' hint="Empty: all partitions" />
      <ErrorMessage error={error} />
    </Dialog>
  )
}

/** readKey reads a partition key. Errors: Error if it is no array. */
function readKey(text: string): unknown[] {
  const key = JSON.parse(text) as unknown
  if (!Array.isArray(key)) throw new Error('A partition key is an array: ["customer-1"]')
  return key
}

/** Token creates resource tokens of a permission; an earlier one stays valid until its time has passed. */
export function Token({ database, user, permission, onClose }: { database: string; user: string; permission: Permission; onClose: () => void }) {
  const [seconds, setSeconds] = useState('3600')
  const [token, setToken] = useState('')
  const { attempt, error, busy } = useAttempt(() => undefined)
  const create = () => attempt(async () => setToken(await createToken(database, user, permission.id, seconds)))
  return (
    <Dialog title="Create token" onClose={onClose} onSubmit={() => void create()} footer={<>
      <Button onPress={onClose}>Close</Button><Button type="submit" kind="primary" isDisabled={busy && token === ''}>Create token</Button>
    </>}>
      <p>A client with the token may {permission.permissionMode === 'Read' ? 'read' : 'read and write'} <code className="break"><bdi>{permission.resource}</bdi></code>.</p>
      <TextField label="Valid for, in seconds" type="number" min={10} max={86400} value={seconds} onChange={setSeconds} autoFocus hint="10 to 86,400, by the emulator's clock" />
      <ErrorMessage error={error} />
      {token && <Code label="Token" text={token} />}
    </Dialog>
  )
}
