import { useState } from 'react'
import { itemPath, partitionKeyHeader, path, request, type Container } from '../../api/cosmos'
import { Problem } from '../../api/http'
import { useAttempt } from '../../api/useAttempt'
import { cut } from '../../values/attribute'
import { own } from '../../values/document'
import { JSONError, member, parse, plain, print, type Node } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Dialog } from '../../widgets/Dialog'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { offerUndo } from '../editor/writes'

interface Props {
  database: string
  container: Container
  document?: Node
  copy?: boolean
  onClose: () => void
  onDuplicate: (document: Node) => void
  onHistory: (document: Node) => void
}

/** readDocument reads an item. Errors: JSONError. */
function readDocument(text: string): Node {
  const node = parse(text)
  if (node.kind !== 'object') throw new JSONError('An item is an object', node.from, node.to)
  return node
}

/** DocumentEditor edits an item as JSON, and saves it only if its ETag is still the one that was read. */
export function DocumentEditor({ database, container, document, copy, onClose, onDuplicate, onHistory }: Props) {
  const existing = document && !copy ? document : undefined
  const [start] = useState(() => print(document ? own(document) : parse(template(container))))
  const [text, setText] = useState(start)
  const { attempt, error, busy } = useAttempt(onClose)
  const paths = container.partitionKey.paths
  const docs = path('dbs', database, 'colls', container.id, 'docs')
  const invalid = errorIn(text)

  const keyed = (node: Node) => ({ 'x-ms-documentdb-partitionkey': partitionKeyHeader(node, paths) })
  const create = async (content: string) => {
    const reply = await request('POST', docs, keyed(parse(content)), content)
    const made = reply.node!
    offerUndo(`The item is created (${reply.charge} RU)`, () => erase(made))
  }
  const replace = async (before: Node, content: string, force = false) => {
    const reply = await request('PUT', itemPath(docs, before), { ...keyed(before), ...(!force && ifMatch(before)) }, content)
    offerUndo(`The item is saved (${reply.charge} RU)`, () => request('PUT', itemPath(docs, before), { ...keyed(before), ...ifMatch(reply.node!) }, print(own(before))))
  }
  const erase = (item: Node) => request('DELETE', itemPath(docs, item), { ...keyed(item), ...ifMatch(item) })
  const save = () => attempt(() => (existing ? replace(existing, text) : create(text)))
  const remove = () => attempt(async () => {
    await erase(existing!)
    const content = print(own(existing!))
    offerUndo('The item is deleted', () => request('POST', docs, keyed(existing!), content))
  })
  const close = () => (text === start || confirm('Discard the changes to this item?')) && onClose()
  const conflict = error instanceof Problem && error.status === 412
  return (
    <Dialog title={<bdi>{existing ? cut(plain(member(existing, 'id')), 100) : 'New item'}</bdi>} place="side" onClose={close} footer={<>
      {existing && <Button kind="danger" icon="trash" onPress={remove} isDisabled={busy}>Delete</Button>}
      {existing && <Button icon="copy" onPress={() => onDuplicate(parse(text))} isDisabled={busy || invalid !== ''}>Duplicate</Button>}
      {existing && text === start && <Button onPress={() => onHistory(existing)} isDisabled={busy}>Item history</Button>}
      <span className="grow" />
      <Button icon="undo" onPress={() => setText(start)} isDisabled={busy || text === start}>Reset</Button>
      <Button kind="primary" onPress={save} isDisabled={busy || invalid !== '' || (existing !== undefined && text === start)}>{existing ? 'Save if unchanged' : 'Create'}</Button>
    </>}>
      <CodeEditor label="Item" value={text} onChange={setText} onRun={save} language={jsonLanguage} check={checkWith(readDocument)} lines size="tall" />
      {invalid && <p className="error-text" role="alert">{invalid}</p>}
      {conflict ? (
        <div className="message warning stack tight" role="alert">
          <strong>The item has changed since it was read. Nothing was saved.</strong>
          <div><Button small kind="danger" onPress={() => attempt(() => replace(existing!, text, true))}>Overwrite it</Button></div>
        </div>
      ) : <ErrorMessage error={error} />}
    </Dialog>
  )
}

function errorIn(text: string): string {
  try {
    readDocument(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** template is a new item: its id and partition key, empty. */
function template(container: Container): string {
  const root: Record<string, unknown> = { id: '' }
  for (const p of container.partitionKey.paths) {
    const steps = p.split('/').slice(1)
    let at = root
    for (const step of steps.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>
    at[steps.at(-1)!] ??= ''
  }
  return JSON.stringify(root)
}

function ifMatch(item: Node): Record<string, string> {
  return { 'If-Match': plain(member(item, '_etag')) }
}
