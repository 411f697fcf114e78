// The documentation as a site: the pages of docs/, the README and its neighbours, without a copy of any. `make docs` builds
// it in bin/docs. DOCS_BASE is the path that it is served under, such as /tabletop/.
import { defineConfig } from 'vitepress'
import { fileURLToPath } from 'node:url'
import { pages, sidebar } from '../pages.mjs'
import { links, pictures, slug } from '../markdown.mjs'

const icon = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="6" fill="#0b6b60"/><path d="M5 10h22M10 10v13M22 10v13" stroke="#fff" stroke-width="3"/></svg>')

export default defineConfig({
  title: 'Tabletop',
  description: 'A local emulator of Amazon DynamoDB and Azure Cosmos DB for NoSQL',
  lang: 'en',
  base: process.env.DOCS_BASE || '/',
  srcDir: '../..',
  srcExclude: ['{bin,reports,emulator,backend,features}/**', '**/testdata/**'],
  outDir: '../../bin/docs',
  cacheDir: './node_modules/.cache',
  rewrites: Object.fromEntries([...pages].map(([file, page]) => [file, page])),
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    anchor: { slugify: slug },
    config: (md) => { pictures(md); links(md) },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/tabletop-db/tabletop' }],
  },
  // The sources are outside of the folder of the packages, so that their imports must be found here.
  vite: { resolve: { alias: { vue: fileURLToPath(new URL('../node_modules/vue', import.meta.url)) } } },
})
