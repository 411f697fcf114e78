/** A JSON reader that keeps the text of each number and the place of each value, and refuses duplicate names. */

export type Node = { from: number; to: number } & (
  | { kind: 'string'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
  | { kind: 'array'; items: Node[] }
  | { kind: 'object'; members: { name: string; from: number; to: number; value: Node }[] }
)

/** JSONError is a mistake in a text, at a place in characters from its start. */
export class JSONError extends Error {
  from: number
  to: number
  constructor(message: string, from: number, to = from + 1) {
    super(message)
    this.from = from
    this.to = to
  }
}

const maxDepth = 200

/** parse reads a text that is one JSON value. Errors: JSONError. */
export function parse(text: string): Node {
  const reader = new Reader(text)
  const node = reader.value(0)
  reader.space()
  if (reader.at < text.length) throw new JSONError('Unexpected text after the value', reader.at, text.length)
  return node
}

class Reader {
  at = 0
  text: string
  constructor(text: string) {
    this.text = text
  }

  space() {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text[this.at]!)) this.at++
  }

  value(depth: number): Node {
    this.space()
    if (depth > maxDepth) throw new JSONError(`Nested deeper than ${maxDepth} levels`, this.at)
    const c = this.text[this.at]
    if (c === undefined) throw new JSONError('A value is missing', Math.max(0, this.at - 1))
    if (c === '{') return this.object(depth)
    if (c === '[') return this.array(depth)
    if (c === '"') {
      const from = this.at
      return { kind: 'string', text: this.string(), from, to: this.at }
    }
    return this.literal()
  }

  literal(): Node {
    const from = this.at
    const word = /[^\s,:[\]{}"]*/y
    word.lastIndex = from
    const text = word.exec(this.text)?.[0] ?? ''
    const to = from + text.length
    this.at = to
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', from, to }
    if (text === 'null') return { kind: 'null', from, to }
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return { kind: 'number', text, from, to }
    throw new JSONError(text === '' ? `Unexpected ${this.text[from]}` : `${text} is not a JSON value`, from, Math.max(to, from + 1))
  }

  string(): string {
    const from = this.at
    const end = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y
    end.lastIndex = from
    const match = end.exec(this.text)
    if (!match) throw new JSONError('The string is not closed, or has a raw line break', from, from + 1)
    this.at = end.lastIndex
    try {
      return JSON.parse(match[0]) as string
    } catch {
      throw new JSONError('The string has a wrong escape', from, this.at)
    }
  }

  array(depth: number): Node {
    const from = this.at++
    const items: Node[] = []
    this.space()
    while (this.text[this.at] !== ']') {
      if (items.length > 0) this.expect(',')
      items.push(this.value(depth + 1))
      this.space()
    }
    this.at++
    return { kind: 'array', items, from, to: this.at }
  }

  object(depth: number): Node {
    const from = this.at++
    const members: { name: string; from: number; to: number; value: Node }[] = []
    const names = new Set<string>()
    this.space()
    while (this.text[this.at] !== '}') {
      if (members.length > 0) this.expect(',')
      this.space()
      const start = this.at
      if (this.text[start] !== '"') throw new JSONError('A name in double quotes is missing', start)
      const name = this.string()
      if (names.has(name)) throw new JSONError(`The name ${JSON.stringify(name)} is there twice`, start, this.at)
      names.add(name)
      const to = this.at
      this.space()
      this.expect(':')
      members.push({ name, from: start, to, value: this.value(depth + 1) })
      this.space()
    }
    this.at++
    return { kind: 'object', members, from, to: this.at }
  }

  expect(c: string) {
    this.space()
    if (this.text[this.at] !== c) throw new JSONError(`Expected ${c}`, Math.min(this.at, this.text.length - 1))
    this.at++
  }
}

/** print writes a value with two spaces per level; short arrays of plain values stay on one line. */
export function print(node: Node, indent = ''): string {
  switch (node.kind) {
    case 'string': return JSON.stringify(node.text)
    case 'number': return node.text
    case 'boolean': return String(node.value)
    case 'null': return 'null'
    case 'array': return printAll('[', ']', node.items.map((n) => print(n, indent + '  ')), indent, isFlat(node))
    case 'object': return printAll('{', '}',
      node.members.map((m) => `${JSON.stringify(m.name)}: ${print(m.value, indent + '  ')}`), indent, false)
  }
}

function isFlat(node: Node): boolean {
  return node.kind === 'array' && node.items.length <= 12 &&
    node.items.every((n) => n.kind !== 'array' && n.kind !== 'object' && n.to - n.from < 24)
}

function printAll(open: string, close: string, parts: string[], indent: string, flat: boolean): string {
  if (parts.length === 0) return open + close
  if (flat) return open + parts.join(', ') + close
  return `${open}\n${parts.map((p) => indent + '  ' + p).join(',\n')}\n${indent}${close}`
}

/** member is a value of an object by its name. */
export function member(node: Node | undefined, name: string): Node | undefined {
  return node?.kind === 'object' ? node.members.find((m) => m.name === name)?.value : undefined
}

/** plain is the text of a string, number, boolean or null, and compact JSON of anything else. */
export function plain(node: Node | undefined): string {
  if (!node) return ''
  return node.kind === 'string' ? node.text : compact(node)
}

/** compact writes a value on one line. */
export function compact(node: Node): string {
  switch (node.kind) {
    case 'array': return `[${node.items.map(compact).join(',')}]`
    case 'object': return `{${node.members.map((m) => `${JSON.stringify(m.name)}:${compact(m.value)}`).join(',')}}`
    default: return print(node)
  }
}
