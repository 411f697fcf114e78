import { keyValues, type CosmosQuery } from './query'

/** asCosmosGherkin is the step of Tabletop's library that checks for the query, or a comment that says why there is none. */
export function asCosmosGherkin(query: CosmosQuery): string {
  const [value, ...others] = keyValues(query)
  if (value && (value.kind !== 'string' || others.length > 0)) return '# A step names a partition whose key is one text. See docs/steps.md'
  if (/["\n]/.test(query.container + (value?.text ?? '')) || query.sql.includes('"""')) return '# This query has quotes that a step cannot contain'
  const where = value ? `in the partition "${value.text}"` : 'across all partitions'
  const lines = query.sql.trim().split('\n').map((line) => `  ${line}`.trimEnd())
  return [`Then Cosmos DB received this query of "${query.container}" ${where}:`, '  """', ...lines, '  """', ''].join('\n')
}
