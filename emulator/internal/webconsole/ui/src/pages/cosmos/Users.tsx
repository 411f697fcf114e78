import { useState } from 'react'
import { deletePermission, deleteUser, users, type Permission, type UserWithPermissions } from '../../api/users'
import { useAttempt } from '../../api/useAttempt'
import { useResource } from '../../api/useResource'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { CreatePermission, CreateUser, Token } from './UserDialogs'

type Open = { kind: 'user' } | { kind: 'permission' | 'delete'; user: string; permission?: Permission } | { kind: 'token'; user: string; permission: Permission }

/** Users lists the users of a database with their permissions, and creates resource tokens. */
export default function Users({ database, containers }: { database: string; containers: string[] }) {
  const { data, error, loading } = useResource(`users ${database}`, () => users(database), (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <section className="panel" aria-labelledby="users">
      <div className="panel-head">
        <h2 id="users">Users and permissions</h2>
        <Button small icon="plus" onPress={() => setOpen({ kind: 'user' })}>User</Button>
      </div>
      <ErrorMessage error={error} />
      {loading && <Loading what="users" />}
      {data?.length === 0 && <div className="empty">No users</div>}
      {data && data.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Users and permissions">
          <table className="table">
            <thead><tr>
              <th scope="col">User</th><th scope="col">Permission</th><th scope="col">Mode</th><th scope="col">Resource</th><th scope="col">Partition key</th>
              <th scope="col"><span className="visually-hidden">Actions</span></th>
            </tr></thead>
            <tbody>{data.map((u) => <Rows key={u.user.id} of={u} onOpen={setOpen} />)}</tbody>
          </table>
        </div>
      )}
      {open?.kind === 'user' && <CreateUser database={database} onClose={close} />}
      {open?.kind === 'permission' && <CreatePermission {...{ database, containers }} user={open.user} onClose={close} />}
      {open?.kind === 'token' && <Token database={database} user={open.user} permission={open.permission} onClose={close} />}
      {open?.kind === 'delete' && <Delete database={database} user={open.user} permission={open.permission?.id} onClose={close} />}
    </section>
  )
}

function Rows({ of: { user, permissions }, onOpen }: { of: UserWithPermissions; onOpen: (open: Open) => void }) {
  return (
    <>
      <tr>
        <td className="break"><strong><bdi>{user.id}</bdi></strong></td>
        <td colSpan={4} className="muted">{permissions.length === 0 && 'No permissions'}</td>
        <td className="actions"><Menu small iconOnly icon="down" label={`Actions of ${user.id}`} actions={[
          { id: 'new', label: 'New permission…', run: () => onOpen({ kind: 'permission', user: user.id }) },
          { id: 'delete', label: 'Delete user…', run: () => onOpen({ kind: 'delete', user: user.id }) },
        ]} /></td>
      </tr>
      {permissions.map((p) => (
        <tr key={p.id}>
          <td />
          <td className="break"><bdi>{p.id}</bdi></td>
          <td>{p.permissionMode}</td>
          <td className="mono break"><bdi>{p.resource}</bdi></td>
          <td className="mono break"><bdi>{p.resourcePartitionKey && JSON.stringify(p.resourcePartitionKey)}</bdi></td>
          <td className="actions"><Menu small iconOnly icon="down" label={`Actions of ${p.id}`} actions={[
            { id: 'token', label: 'Create token…', run: () => onOpen({ kind: 'token', user: user.id, permission: p }) },
            { id: 'delete', label: 'Delete permission…', run: () => onOpen({ kind: 'delete', user: user.id, permission: p }) },
          ]} /></td>
        </tr>
      ))}
    </>
  )
}

/** Delete asks before it deletes a user, or one of its permissions. */
function Delete({ database, user, permission, onClose }: { database: string; user: string; permission: string | undefined; onClose: () => void }) {
  const { attempt, error, busy } = useAttempt(onClose)
  const kind = permission === undefined ? 'user' : 'permission'
  const run = () => attempt(() => (permission === undefined ? deleteUser(database, user) : deletePermission(database, user, permission)))
  return (
    <Dialog role="alertdialog" title={`Delete ${kind}`} onClose={onClose} footer={<>
      <Button onPress={onClose} autoFocus>Cancel</Button><Button kind="danger primary" onPress={run} isDisabled={busy}>Delete {kind}</Button>
    </>}>
      <p>The {kind} <strong className="break"><bdi>{permission ?? user}</bdi></strong> is deleted, and its tokens end.</p>
      <ErrorMessage error={error} />
    </Dialog>
  )
}
