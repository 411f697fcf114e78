import { useMemo } from 'react'
import { query, type Container } from '../../api/cosmos'
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

/** readContainer reads the items page by page. */
function readContainer(database: string, container: string, paths: string[]): ReadPage {
  const from = (continuation: string): ReadPage => async (limit) => {
    const page = await query(database, container, 'SELECT * FROM c', { limit, continuation })
    const rows = page.documents.map((d) => rowOfDocument(d, paths))
    return { rows, units: page.charge, ...(page.continuation && { next: from(page.continuation) }) }
  }
  return from('')
}
