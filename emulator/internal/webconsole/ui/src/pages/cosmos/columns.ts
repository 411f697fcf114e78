import { systemProperties } from '../../values/document'
import type { Node } from '../../values/losslessJson'

/** columnsOf are the properties of the results: id first, the service's own last. Results that are no objects have one column. */
export function columnsOf(documents: Node[]): string[] {
  const counts = new Map<string, number>()
  for (const d of documents) if (d.kind === 'object') for (const m of d.members) counts.set(m.name, (counts.get(m.name) ?? 0) + 1)
  const own = [...counts.keys()].filter((n) => n !== 'id' && !systemProperties.includes(n)).sort((a, b) => counts.get(b)! - counts.get(a)!)
  return [...(counts.has('id') ? ['id'] : []), ...own, ...systemProperties.filter((n) => counts.has(n) && (n === '_ts'))]
}
