/** Users of a database of Cosmos DB, and their permissions. */
import { all, path, request } from './cosmos'

export interface User { id: string }

export interface Permission {
  id: string
  permissionMode: 'Read' | 'All'
  /** The path of what it is for, such as dbs/shop/colls/orders. */
  resource: string
  /** The only partition that it is for. */
  resourcePartitionKey?: unknown[]
}

export interface UserWithPermissions { user: User; permissions: Permission[] }

/** users reads the users of a database with their permissions. Errors: Problem. */
export async function users(db: string): Promise<UserWithPermissions[]> {
  return Promise.all((await all<User>(path('dbs', db, 'users'), 'Users')).map(async (user) => ({
    user, permissions: await all<Permission>(path('dbs', db, 'users', user.id, 'permissions'), 'Permissions'),
  })))
}

export const createUser = (db: string, id: string) => request('POST', path('dbs', db, 'users'), {}, JSON.stringify({ id }))
export const deleteUser = (db: string, user: string) => request('DELETE', path('dbs', db, 'users', user))

export const createPermission = (db: string, user: string, permission: Permission) =>
  request('POST', path('dbs', db, 'users', user, 'permissions'), {}, JSON.stringify(permission))
export const deletePermission = (db: string, user: string, id: string) => request('DELETE', path('dbs', db, 'users', user, 'permissions', id))

/** createToken returns a new resource token of a permission, valid for 10 to 86,400 seconds of the emulator's clock. Errors: Problem. */
export async function createToken(db: string, user: string, id: string, seconds: string): Promise<string> {
  const reply = await request('GET', path('dbs', db, 'users', user, 'permissions', id), { 'x-ms-documentdb-expiry-seconds': seconds })
  return (JSON.parse(reply.text) as { _token: string })._token
}
