import { useMemo, useState } from 'react'
import { cut } from '../../values/attribute'
import { plain, type Node } from '../../values/losslessJson'
import { cellNode, sortDocuments, type Sorting } from '../../values/sorting'
import { DataGrid, type CellText } from '../../widgets/DataGrid'

const styles: Record<Node['kind'], string> = {
  string: 'v-S', number: 'v-N', boolean: 'v-BOOL', null: 'v-NULL', array: 'v-L', object: 'v-M',
}

interface Props {
  documents: Node[]
  columns: string[]
  onOpen: (document: Node) => void
  /** What tells the items apart that can be chosen; absent if none can be. */
  idOf?: (document: Node) => string | undefined
  selected?: Set<string>
  onSelect?: (selected: Set<string>) => void
}

/** CosmosGrid shows results with one column per property. */
export function CosmosGrid({ documents, columns, idOf = () => undefined, ...rest }: Props) {
  const [sorting, sort] = useState<Sorting>()
  const rows = useMemo(() => sortDocuments(documents, sorting), [documents, sorting])
  const shown = columns.length > 0 ? columns : ['value']
  return (
    <DataGrid label="Results" rows={rows} columns={shown} opener={shown[0]} cellOf={cellOf} typesOf={(name) => kinds(documents, name)}
      idOf={idOf} sorting={sorting} onSort={sort} {...rest} />
  )
}

function cellOf(document: Node, column: string): CellText | undefined {
  const node = cellNode(document, column)
  return node && { text: cut(plain(node), 200), title: cut(plain(node), 1000), className: styles[node.kind] }
}

/** kinds are the JSON types of the values of a column. */
function kinds(documents: Node[], column: string): string {
  return [...new Set(documents.map((d) => cellNode(d, column)?.kind).filter(Boolean))].join('|')
}
