// The pages of the site, and their order in its navigation.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** repository is the folder of the README, with a slash at its end. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** pages maps the file of each page in the repository to its file in the site. */
export const pages = new Map([
  ['README.md', 'index.md'],
  ...['CONTRIBUTING.md', 'ARCHITECTURE.md'].map((file) => [file, file]),
  ...readdirSync(repository + 'docs').filter((n) => n.endsWith('.md')).map((n) => [`docs/${n}`, `docs/${n}`]),
  ...readdirSync(repository + 'examples').filter((n) => existsSync(`${repository}examples/${n}/README.md`))
    .map((n) => [`examples/${n}/README.md`, `examples/${n}/index.md`]),
])

/** address is the path of a page in the site. */
export function address(file) {
  return '/' + pages.get(file).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')
}

const groups = {
  'Start': ['README', 'getting-started', 'from-dynamodb-local', 'from-localstack', 'from-cosmos-emulator', 'containers', 'troubleshooting'],
  'DynamoDB': ['emulator', 'compatibility', 'tables', 'partiql', 'vectors', 'global-tables', 'streams', 'recovery', 'exports', 'import-export', 'bulk-puts', 'autoscaling'],
  'Cosmos DB': ['cosmos', 'cosmos-compatibility', 'cosmos-scripts'],
  'Like the cloud': ['cloud-behaviours', 'capacity', 'staleness', 'faults', 'identity', 'keys'],
  'Operate': ['console', 'admin', 'backup', 'metrics', 'alarms', 'cost', 'recording'],
  'Verify': ['explore', 'invariants', 'advise', 'features', 'report', 'specs-for-your-tables', 'steps', 'loadtest', 'simulators', 'targets', 'choosing'],
  'Backends': ['telemetry', 'devicetoken', 'kefir', 'notification', 'verification', 'access', 'push', 'jobs', 'runbooks', 'observability'],
  'Guarantees': ['reliability', 'performance', 'large-data', 'repeats', 'liveness', 'threat-model'],
}

/** sidebar lists every page once: those that no group has are in the last one. */
export function sidebar() {
  const left = new Set(pages.keys())
  const entry = (file) => {
    left.delete(file)
    return { text: file === 'README.md' ? 'Tabletop' : title(file), link: address(file) }
  }
  const all = Object.entries(groups).map(([text, names]) => ({
    text, collapsed: false, items: names.map((n) => entry(n === 'README' ? 'README.md' : `docs/${n}.md`)),
  }))
  return [...all, { text: 'More', collapsed: false, items: [...left].map(entry) }]
}

function title(file) {
  return /^# (.*)$/m.exec(readFileSync(repository + file, 'utf8'))[1].replaceAll('`', '')
}
