import { api, json } from './http'

export interface Session { identities: boolean; user: string; version: string }

/** Scope is an access key and a region, whose tables the console shows. */
export interface Scope { accessKeyId: string; region: string }

export interface Overview {
  version: string
  dynamodb: {
    endpoint: string; region: string; regions: string[]; accountId: string; accessKeyId: string; secretAccessKey: string
    isolated: boolean
    /** Those that have tables, if each access key has its own. */
    scopes: Scope[]
  }
  cosmos: null | { endpoint: string; key: string; connectionString: string; certificatePEM: string; certificatePath: string }
  dataFolder: string
  seed: number
  now: string
  /** The further parts of the API, such as load; which there are depends on the command that runs the emulator. */
  extensions: string[]
}

export const session = () => json<Session>(`${api}/session`)
export const signIn = (accessKeyId: string, secretAccessKey: string) =>
  json<void>(`${api}/session`, 'POST', { accessKeyId, secretAccessKey })
export const signOut = () => json<void>(`${api}/session`, 'DELETE')
export const overview = () => json<Overview>(`${api}/overview`)

export interface Clock { now: string; frozen: boolean; speed: number }

const clockPath = '/_tabletop/clock'
export const clock = () => json<Clock>(clockPath)
export const setClock = (change: { frozen?: boolean; speed?: number }) => json<Clock>(clockPath, 'PUT', change)
/** advance moves the clock by a duration such as 24h; everything that was due has happened when it returns. */
export const advance = (duration: string) => json<Clock>(`${clockPath}/advance`, 'POST', { duration })
