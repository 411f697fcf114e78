import { useMemo } from 'react'
import type { Container } from '../../api/cosmos'
import { History } from './History'
import { containerSource } from './containerSource'

/** ContainerHistory is the page of a container's earlier states. */
export default function ContainerHistory({ database, container }: { database: string; container: Container }) {
  const source = useMemo(() => containerSource(database, container), [database, container])
  return <History key={source.id} source={source} />
}
