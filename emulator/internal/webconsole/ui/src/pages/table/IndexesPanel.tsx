import { useState } from 'react'
import { bytes } from '../../values/size'
import { indexes, isLocal, isOnDemand, keyNames, type Index, type KeyElement, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { AddIndex, DeleteIndex } from './IndexDialogs'

/** IndexesPanel lists the indexes of a table with their status, and creates and deletes global ones. */
export function IndexesPanel({ table }: { table: Table }) {
  const all = indexes(table)
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState('')
  return (
    <section className="panel" aria-labelledby="indexes">
      <div className="panel-head"><h2 id="indexes">Indexes</h2><Button small icon="plus" onPress={() => setAdding(true)}>Global index</Button></div>
      {all.length === 0 ? <div className="empty">This table has no indexes</div> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Indexes">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Index</th><th scope="col">Status</th><th scope="col">Kind</th><th scope="col">Key</th><th scope="col">Projection</th>
                {!isOnDemand(table) && <th scope="col">Capacity</th>}
                <th scope="col" className="number">Items</th><th scope="col" className="number">Size</th>
                <th scope="col"><span className="visually-hidden">Actions</span></th>
              </tr>
            </thead>
            <tbody>{all.map((i) => <IndexRow key={i.IndexName} table={table} index={i} onDelete={setDeleting} />)}</tbody>
          </table>
        </div>
      )}
      {adding && <AddIndex table={table} onClose={() => setAdding(false)} />}
      {deleting && <DeleteIndex table={table} index={deleting} onClose={() => setDeleting('')} />}
    </section>
  )
}

/** keyText has the attributes of the partition key, and after a comma those of the sort key. */
function keyText(schema: KeyElement[]): string {
  const part = (type: KeyElement['KeyType']) => keyNames(schema.filter((k) => k.KeyType === type)).join(' + ')
  return [part('HASH'), part('RANGE')].filter(Boolean).join(', ')
}

function IndexRow({ table, index, onDelete }: { table: Table; index: Index; onDelete: (name: string) => void }) {
  const { ProjectionType, NonKeyAttributes } = index.Projection
  const local = isLocal(table, index.IndexName)
  const status = local ? table.TableStatus : index.IndexStatus ?? ''
  const units = index.ProvisionedThroughput
  return (
    <tr>
      <td className="break name">{index.IndexName}</td>
      <td><span className={`badge ${status === 'ACTIVE' ? 'ok' : 'warn'}`}>{status}</span></td>
      <td data-label="Kind">{local ? 'Local' : 'Global'}</td>
      <td className="mono" data-label="Key">{keyText(index.KeySchema)}</td>
      <td className="break" data-label="Projection">{ProjectionType === 'INCLUDE' ? `Keys, ${NonKeyAttributes?.join(', ')}` : ProjectionType === 'ALL' ? 'All' : 'Keys'}</td>
      {!isOnDemand(table) && <td data-label="Capacity">{local || !units ? 'The table’s' : `${units.ReadCapacityUnits} reads, ${units.WriteCapacityUnits} writes`}</td>}
      <td className="number" data-label="Items">{(index.ItemCount ?? 0).toLocaleString('en-US')}</td>
      <td className="number" data-label="Size">{bytes(index.IndexSizeBytes ?? 0)}</td>
      <td className="actions">
        {!local && <Button small kind="quiet" icon="trash" aria-label={`Delete index ${index.IndexName}`} onPress={() => onDelete(index.IndexName)} />}
      </td>
    </tr>
  )
}
