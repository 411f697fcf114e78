import type { Change } from '../../api/events'
import type { History } from '../../api/history'
import type { Value } from '../../values/difference'

/** Source is a table or container whose history is shown; T is an item of it. */
export interface Source<T> {
  /** Tells sources apart. */
  id: string
  /** The name of the table or container. */
  name: string
  kind: 'table' | 'container'
  history: History<T>
  /** The table and its indexes, to choose from; only the empty name for a container. */
  indexes: string[]
  /** partitionKey is the attribute that the items of an index can be chosen by; encode writes its value as the API takes it. */
  partitionKey?: (index: string) => { name: string; example?: string; encode: (text: string) => string } | undefined
  concerns: (change: Change) => boolean
  /** key is the key of an item as the API takes it, title the same for people. */
  key: (item: T) => string
  title: (item: T) => string
  value: (item: T) => Value
  Grid: (props: { items: T[]; index: string; onOpen: (item: T) => void }) => React.ReactNode
  /** The page of the history, and that of another table or container. */
  href: string
  hrefOf: (name: string) => string
  /** enable makes the service store the states from now on; absent if it cannot be changed here. */
  enable?: () => Promise<unknown>
  /** restore makes a new table or container of the state at a moment, or of the latest. */
  restore: (at: string | undefined, target: string) => Promise<unknown>
  /** restorable is the moment that the service restores for one that was chosen. */
  restorable: (at: string) => string
  /** What the service restores, for people. */
  restoreHint?: string
  /** isReady reports whether a new table or container has all of its items. */
  isReady: (target: string) => Promise<boolean>
}
