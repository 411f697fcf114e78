import { useMemo } from 'react'
import { query, ranges, type Container } from '../../api/cosmos'
import { concernsContainer } from '../../api/useResource'
import { rowOfDocument } from '../../design/rows'
import { viewOfContainer } from '../../design/views'
import { Design } from './Design'
import { useSample, type ReadPage } from './useSample'

/** ContainerDesign shows the entities of a container, and their partition keys and ids. */
export default function ContainerDesign({ database, container, total }: { database: string; container: Container; total: number }) {
  const paths = container.partitionKey.paths.join('\n')
  const first = useMemo(() => readContainer(database, container.id, paths.split('\n')), [database, container.id, paths])
  const sample = useSample(first, concernsContainer(database, container.id, 'items'))
  return <Design views={[viewOfContainer(container.partitionKey.paths)]} total={total} unit="RU" {...sample} />
}

/** readContainer reads one physical partition after another. */
function readContainer(database: string, container: string, paths: string[]): ReadPage {
  const range = (all: string[], i: number, continuation: string): ReadPage => async (limit) => {
    const page = await query(database, container, 'SELECT * FROM c', { range: all[i]!, limit, continuation })
    const next = page.continuation ? range(all, i, page.continuation) : i + 1 < all.length ? range(all, i + 1, '') : undefined
    return { rows: page.documents.map((d) => rowOfDocument(d, paths)), units: page.charge, ...(next && { next }) }
  }
  return async (limit) => range(await ranges(database, container), 0, '')(limit)
}
