import { itemPath, keyValues, partitionKeyHeader, path, request, type Container } from '../../api/cosmos'
import { own } from '../../values/document'
import { member, plain, print, type Node } from '../../values/losslessJson'
import { BulkDelete, type Undo } from '../editor/BulkDelete'

/** DeleteDocuments deletes items of a container, each only if no other client changes it meanwhile. */
export function DeleteDocuments({ database, container, ...rest }: {
  database: string; container: Container; items: Node[]; onClose: () => void; onDone: () => void
}) {
  const { paths } = container.partitionKey
  const docs = path('dbs', database, 'colls', container.id, 'docs')
  const remove = async (document: Node): Promise<Undo> => {
    const key = { 'x-ms-documentdb-partitionkey': partitionKeyHeader(document, paths) }
    const found = (await request('GET', itemPath(docs, document), key)).node!
    await request('DELETE', itemPath(docs, document), { ...key, 'If-Match': plain(member(found, '_etag')) })
    return () => request('POST', docs, key, print(own(found)))
  }
  const others = paths.filter((p) => p !== '/id')
  return (
    <BulkDelete from={`${database}/${container.id}`} keys={['id', ...others]} remove={remove}
      keyOf={(document) => [plain(member(document, 'id')), ...keyValues(document, others).map(plain)]} {...rest} />
  )
}
