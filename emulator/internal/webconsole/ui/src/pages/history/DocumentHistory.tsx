import { useMemo } from 'react'
import type { Container } from '../../api/cosmos'
import { navigate } from '../../app/router'
import type { Node } from '../../values/losslessJson'
import { containerSource } from './containerSource'
import { Versions } from './Versions'

/** DocumentHistory is the history of an item of a container, from which the container's earlier states can be opened. */
export default function DocumentHistory({ database, container, document, onClose }: {
  database: string; container: Container; document: Node; onClose: () => void
}) {
  const source = useMemo(() => containerSource(database, container), [database, container])
  return <Versions source={source} item={document} onClose={onClose} onMoment={(at) => navigate(`${source.href}#${at}`)} />
}
