/** Folders of exports as ExportTableToPointInTime writes them, which are imported as one file. */

interface Summary { itemCount?: number; outputFormat?: string }
interface Listed { itemCount: number; dataFileS3Key: string }

const summaryFile = 'manifest-summary.json'
const listFile = 'manifest-files.json'

/**
 * exportOf is the data of an export as one file of DynamoDB JSON: gzip files that follow each other are one. Errors: Error with
 * the reason, such as a missing file.
 */
export async function exportOf(files: File[]): Promise<File> {
  const byPath = new Map(files.map((f) => [f.webkitRelativePath, f]))
  const summaries = [...byPath.keys()].filter((p) => p.split('/').at(-1) === summaryFile)
  if (summaries.length === 0) throw new Error(`The folder has no ${summaryFile}: choose the folder of an export that is complete.`)
  if (summaries.length > 1) throw new Error(`The folder has ${summaries.length} exports: choose the folder of one of them.`)
  const folder = summaries[0]!.split('/').slice(0, -1)
  const summary = await read<Summary>(byPath.get(summaries[0]!)!)
  if (summary.outputFormat && summary.outputFormat !== 'DYNAMODB_JSON') {
    throw new Error(`The export has the format ${summary.outputFormat}: export the table as DYNAMODB_JSON.`)
  }
  const list = byPath.get([...folder, listFile].join('/'))
  if (!list) throw new Error(`The folder has no ${listFile}: the export is not complete.`)
  const listed = (await list.text()).split('\n').filter((line) => line.trim()).map((line) => parse<Listed>(line, listFile))
  const count = listed.reduce((sum, f) => sum + f.itemCount, 0)
  if (count !== (summary.itemCount ?? count)) {
    throw new Error(`The manifests differ: ${summaryFile} has ${summary.itemCount} items, ${listFile} has ${count}.`)
  }
  return new File(listed.map((f) => find(byPath, folder, f)), `${folder.at(-1) ?? 'export'}.json.gz`)
}

/** find finds a data file. Those of incremental exports are beside the folder with the manifests. */
function find(byPath: Map<string, File>, folder: string[], { dataFileS3Key }: Listed): File {
  const name = String(dataFileS3Key).split('/').at(-1)!
  for (const place of [[...folder, 'data'], [...folder.slice(0, -1), 'data'], folder]) {
    const file = byPath.get([...place, name].join('/'))
    if (file) return file
  }
  throw new Error(`The export is not complete: it has no file data/${name}.`)
}

async function read<T>(file: File): Promise<T> {
  return parse<T>(await file.text(), file.name)
}

function parse<T>(text: string, name: string): T {
  try {
    const value = JSON.parse(text) as T | null
    if (typeof value === 'object' && value !== null) return value
  } catch { /* said below */ }
  throw new Error(`${name} is not a manifest.`)
}
