import type { Page } from '../../api/cosmos'

/** IndexSpecs are indexes by their paths, as Cosmos DB reports them. */
interface IndexSpecs { SingleIndexes?: { IndexSpec: string }[]; CompositeIndexes?: { IndexSpecs: string[] }[] }

/** The figures of a page's metrics that are shown, by their names in the response. */
const figures: [string, string][] = [
  ['retrievedDocumentCount', 'Items read'], ['retrievedDocumentSize', 'Bytes read'], ['outputDocumentCount', 'Rows'], ['outputDocumentSize', 'Bytes returned'],
  ['indexUtilizationRatio', 'Rows per item read'], ['totalExecutionTimeInMs', 'Execution, ms'], ['indexLookupTimeInMs', 'Index lookup, ms'],
  ['documentLoadTimeInMs', 'Loading items, ms'],
]

/** Statistics shows what the last page of a query took, which indexes it used, and which would help it. */
export function Statistics({ page }: { page: Pick<Page, 'metrics' | 'indexes'> }) {
  const values = Object.fromEntries(page.metrics.split(';').map((m) => m.split('=') as [string, string]))
  const { UtilizedIndexes: used, PotentialIndexes: potential } = readIndexes(page.indexes)
  return (
    <details className="panel-body">
      <summary className="statistics">Statistics</summary>
      <dl className="properties">
        {figures.filter(([name]) => values[name] !== undefined).map(([name, label]) => (
          <Row key={name} label={label} value={Number(values[name]).toLocaleString('en-US', { maximumFractionDigits: 2 })} />
        ))}
        <Row label="Indexes used" value={paths(used).join('; ') || 'None'} />
        <Row label="Indexes that would help" value={paths(potential).join('; ') || 'None'} />
      </dl>
    </details>
  )
}

function Row({ label, value }: { label: string; value: string }) {
  return <><dt>{label}</dt><dd><bdi className="break">{value}</bdi></dd></>
}

/** readIndexes reads the header's JSON, which is absent from a page without rows. */
function readIndexes(text: string): { UtilizedIndexes?: IndexSpecs; PotentialIndexes?: IndexSpecs } {
  return text ? (JSON.parse(decodeURIComponent(text)) as { UtilizedIndexes?: IndexSpecs; PotentialIndexes?: IndexSpecs }) : {}
}

function paths(specs: IndexSpecs | undefined): string[] {
  return [...(specs?.SingleIndexes ?? []).map((s) => s.IndexSpec), ...(specs?.CompositeIndexes ?? []).map((c) => `(${c.IndexSpecs.join(', ')})`)]
}
