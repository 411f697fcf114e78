import { container as readContainer, partitionKeyHeader, type Container } from '../../api/cosmos'
import { announce } from '../../api/events'
import { containerHistory, restoreContainer } from '../../api/history'
import { concernsContainer } from '../../api/useResource'
import { to } from '../../app/router'
import { maxColumns, propertyColumns } from '../../values/columns'
import { valueOfNode } from '../../values/difference'
import { own } from '../../values/document'
import { member, parse, plain, type Node } from '../../values/losslessJson'
import { CosmosGrid } from '../cosmos/CosmosGrid'
import type { Source } from './source'

/** containerSource is a container of Cosmos DB for the pages of its history. */
export function containerSource(database: string, container: Container): Source<Node> {
  const { id: name, partitionKey: { paths } } = container
  const keyOf = (item: Node) => partitionKeyHeader(item, paths)
  return {
    id: `container ${database}/${name}`, name, kind: 'container', history: containerHistory(database, name), indexes: [''],
    concerns: (c) => concernsContainer(database, name, 'items')(c) || concernsContainer(database, name, 'schema')(c),
    partitionKey: () => ({ name: 'partition key', example: '["customer-1"]', encode: checkedKey }),
    key: (item) => `{"id":${JSON.stringify(plain(member(item, 'id')))},"partitionKey":${keyOf(item)}}`,
    title: (item) => {
      const key = parse(keyOf(item))
      return [...(key.kind === 'array' ? key.items.map(plain) : []), plain(member(item, 'id'))].join(' / ')
    },
    value: (item) => valueOfNode(own(item)),
    href: to('cosmos', database, name, 'history'),
    hrefOf: (other) => to('cosmos', database, other),
    Grid: ({ items, onOpen }) => <CosmosGrid documents={items} columns={propertyColumns(items, paths).slice(0, maxColumns)} onOpen={onOpen} />,
    restorable: (at) => at,
    restore: async (at, target) => {
      await restoreContainer(database, name, at, target)
      announce({ cloud: 'cosmos', kind: 'schema', name: `${database}/${target}` })
    },
    isReady: async (target) => (await readContainer(database, target)).container.id === target,
  }
}

/** checkedKey is a partition key as the API takes it. Errors: Error. */
function checkedKey(text: string): string {
  try {
    if (parse(text).kind === 'array') return text
  } catch {
    // the message below says what is expected
  }
  throw new Error('A partition key is a JSON array, such as ["customer-1"]')
}
