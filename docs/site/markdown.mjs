// What the pages need beyond VitePress, because GitHub shows them too: its anchors, links to files of the repository, and
// pictures for the theme that is chosen on the site.
import { existsSync, statSync } from 'node:fs'
import { posix, relative, sep } from 'node:path'
import { address, pages, repository } from './pages.mjs'

const github = 'https://github.com/tabletop-db/tabletop'

/** slug is the anchor of a heading on GitHub. */
export function slug(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
}

/** links leads relative links to the page of the site that shows the file, or else to the file on GitHub. */
export function links(md) {
  md.core.ruler.push('repository-links', (state) => {
    for (const token of state.tokens.flatMap((t) => t.children ?? [])) {
      const href = token.type === 'link_open' && token.attrGet('href')
      if (href && !/^([a-z]+:|#)/.test(href)) token.attrSet('href', target(href, state.env.path))
    }
  })
}

function target(href, page) {
  const [path, anchor] = href.split('#')
  const from = posix.dirname(relative(repository, page).split(sep).join('/'))
  const file = posix.normalize(posix.join(from, decodeURI(path))).replace(/\/$/, '')
  const hash = anchor ? '#' + anchor : ''
  if (pages.has(file)) return address(file) + hash
  if (pages.has(file + '/README.md')) return address(file + '/README.md') + hash
  if (file.startsWith('..') || !existsSync(repository + file)) throw new Error(`${page} links to ${href}, which does not exist`)
  return `${github}/${statSync(repository + file).isDirectory() ? 'tree' : 'blob'}/main/${file}${hash}`
}

/** pictures makes an image for each theme of a <picture>, because the theme of the site is not that of the system. */
export function pictures(md) {
  md.core.ruler.before('normalize', 'pictures', (state) => {
    state.src = state.src.replace(/<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img ([^>]*)src="([^"]+)"([^>]*)>\s*<\/picture>/g,
      (_, dark, before, light, after) =>
        `<img class="light-only" ${before}src="./${light}"${after}><img class="dark-only" ${before}src="./${dark}"${after}>`)
  })
}
