import { cut } from '../../values/attribute'
import { member, plain, type Node } from '../../values/losslessJson'

const styles: Record<Node['kind'], string> = {
  string: 'v-S', number: 'v-N', boolean: 'v-BOOL', null: 'v-NULL', array: 'v-L', object: 'v-M',
}

/** CosmosGrid shows results with one column per property. */
export function CosmosGrid({ documents, columns, onOpen }: { documents: Node[]; columns: string[]; onOpen: (document: Node) => void }) {
  const shown = columns.length > 0 ? columns.slice(0, 60) : ['value']
  const cellOf = (d: Node, column: string) => (d.kind === 'object' ? member(d, column) : d)
  return (
    <div className="table-wrap" style={{ maxHeight: '68vh' }} tabIndex={0} role="region" aria-label="Results">
      <table className="table grid">
        <thead><tr>{shown.map((c) => <th key={c} scope="col"><bdi>{c}</bdi></th>)}</tr></thead>
        <tbody>
          {documents.map((d, i) => (
            <tr key={i}>
              {shown.map((c, j) => <Cell key={c} node={cellOf(d, c)} onOpen={j === 0 ? () => onOpen(d) : undefined} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ node, onOpen }: { node: Node | undefined; onOpen: (() => void) | undefined }) {
  const text = plain(node)
  const short = cut(text, 200)
  return (
    <td className={node ? styles[node.kind] : ''} title={cut(text, 1000)}>
      {onOpen ? <button type="button" className="key-button" onClick={onOpen}><bdi>{short || 'Open'}</bdi></button> : <bdi>{short}</bdi>}
    </td>
  )
}
