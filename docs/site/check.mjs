// Checks the built site: every link, anchor and picture leads somewhere, nothing is loaded from another host, and the
// search, which needs no network, finds pages.
import { readdirSync, readFileSync, existsSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { pages, repository } from './pages.mjs'

const site = repository + 'bin/docs'
const base = process.env.DOCS_BASE || '/'
const problems = []

const files = readdirSync(site, { recursive: true }).map((f) => f.replaceAll('\\', '/'))
const html = new Map(files.filter((f) => f.endsWith('.html')).map((f) => [f, readFileSync(`${site}/${f}`, 'utf8')]))
const ids = new Map([...html].map(([f, text]) => [f, new Set([...text.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]))]))

let links = 0
for (const [file, text] of html) {
  for (const [, name, value] of text.matchAll(/\s(href|src)="([^"]*)"/g)) {
    links++
    if (name === 'src' && /^(https?:)?\/\//.test(value)) problems.push(`${file} loads ${value}`)
    if (/^([a-z]+:|\/\/)/.test(value)) continue
    const { pathname, hash } = new URL(value, 'http://site' + base + file)
    const path = decodeURI(pathname.slice(base.length))
    const target = path === '' || path.endsWith('/') ? path + 'index.html' : path
    if (!existsSync(`${site}/${target}`)) problems.push(`${file} links to ${value}, which does not exist`)
    else if (hash && !ids.get(target)?.has(decodeURIComponent(hash.slice(1)))) problems.push(`${file} links to ${value}, which has no such heading`)
  }
}
if (html.size < pages.size) problems.push(`${html.size} pages were built of ${pages.size}`)

const index = files.find((f) => f.includes('localSearchIndexroot'))
const { default: json } = await import(`file://${site}/${index}`)
const search = MiniSearch.loadJSON(json, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })
for (const [words, page] of Object.entries({ 'burst capacity': 'docs/capacity', 'hierarchical partition keys': 'docs/cosmos', 'testcontainers': 'docs/containers' })) {
  const found = search.search(words, { prefix: true, fuzzy: 0.2, combineWith: 'AND' }).map((r) => r.id)
  if (!found.some((id) => id.includes(page))) problems.push(`a search for "${words}" does not find ${page}: ${found.slice(0, 5)}`)
}

problems.forEach((p) => console.error(p))
if (problems.length) process.exit(1)
console.log(`PASS: ${html.size} pages, ${links} links and pictures, search works`)
