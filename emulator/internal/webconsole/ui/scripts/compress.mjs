// Replaces each built asset by NAME.gz. fflate, unlike zlib, gives the same bytes with every version of Node.
import { gzipSync } from 'fflate'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../assets/', import.meta.url))
let total = 0
for (const name of readdirSync(folder)) {
  const path = join(folder, name)
  const content = readFileSync(path)
  total += content.length
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9, mtime: 0 }))
  rmSync(path)
}
console.log(`${Math.round(total / 1000)} kB of assets before compression; the limit is 1,500 kB`)
if (total > 1_500_000) process.exit(1)
