import { ascii } from '../../values/document'
import { compact, parse } from '../../values/losslessJson'
import { shell } from '../cli'
import type { Account, CosmosQuery } from './query'

/**
 * asCurl is a script of a POSIX shell that signs the request. It accepts any certificate. Source of the signature:
 * https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources
 */
export function asCurl({ database, container, sql, partitionKey, limit }: CosmosQuery, { endpoint, key }: Account): string {
  const url = `${endpoint.replace(/\/$/, '')}/dbs/${encode(database)}/colls/${encode(container)}/docs`
  const scope = partitionKey.trim() ? [`x-ms-documentdb-partitionkey: ${ascii(compact(parse(partitionKey)))}`]
    : ['x-ms-documentdb-query-enablecrosspartition: True', 'x-ms-read-key-type: EffectivePartitionKeyRange']
  const headers = ['content-type: application/query+json', 'x-ms-version: 2020-07-15', 'x-ms-documentdb-isquery: True',
    `x-ms-max-item-count: ${limit}`, ...scope]
  return `key=$(echo ${shell(key)} | base64 -d | od -An -v -tx1 | tr -d ' \\n')
date=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
signature=$(printf 'post\\ndocs\\n%s\\n%s\\n\\n' ${shell(`dbs/${database}/colls/${container}`)} "$(echo "$date" | tr A-Z a-z)" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 | sed 's/+/%2B/g; s|/|%2F|g; s/=/%3D/g')
curl --insecure --path-as-is ${shell(url)} \\
  -H "x-ms-date: $date" -H "authorization: type%3Dmaster%26ver%3D1.0%26sig%3D$signature" \\
${headers.map((h) => `  -H ${shell(h)} \\\n`).join('')}  --data-binary ${shell(JSON.stringify({ query: sql, parameters: [] }))}
`
}

/** encode escapes a name for a path: also the names . and .., which --path-as-is then leaves where they are. */
function encode(name: string): string {
  return /^\.\.?$/.test(name) ? name.replaceAll('.', '%2E') : encodeURIComponent(name).replaceAll("'", '%27')
}
