/** Changes of one value in a JSON text: all of the text that is not about it stays as it was written. */
import { parse, type Node } from './losslessJson'

export type Path = (string | number)[]

interface Child { from: number; to: number; value: Node }

/**
 * putValue writes a value at a path. A member that is missing is added at the end of its object, an array item at the end of its
 * array; so are objects on the way. Errors: JSONError.
 */
export function putValue(text: string, path: Path, value: unknown): string {
  let node = parse(text)
  for (const [i, step] of path.entries()) {
    const next = childAt(node, step)
    if (!next) return insert(text, node, step, path.slice(i + 1).reduceRight<unknown>(within, value))
    node = next.value
  }
  return text.slice(0, node.from) + write(value, indentAt(text, node.from)) + text.slice(node.to)
}

/** removeValue removes a member or an array item. What is not there stays missing. Errors: JSONError. */
export function removeValue(text: string, path: Path): string {
  const parent = path.slice(0, -1).reduce<Node | undefined>((node, step) => node && childAt(node, step)?.value, parse(text))
  const children = parent ? childrenOf(parent) : []
  const at = children.findIndex((c, i) => nameOf(c, i) === path.at(-1))
  if (!parent || at < 0) return text
  const { from, to } = children[at]!
  if (children.length === 1) return text.slice(0, parent.from + 1) + text.slice(parent.to - 1)
  return at === children.length - 1 ? text.slice(0, children[at - 1]!.to) + text.slice(to) : text.slice(0, from) + text.slice(children[at + 1]!.from)
}

interface Named extends Child { name?: string }

function childrenOf(node: Node): Named[] {
  if (node.kind === 'array') return node.items.map((value) => ({ from: value.from, to: value.to, value }))
  return node.kind === 'object' ? node.members.map((m) => ({ name: m.name, from: m.from, to: m.value.to, value: m.value })) : []
}

const nameOf = (child: Named, i: number) => child.name ?? i

function childAt(node: Node, step: string | number): Named | undefined {
  return childrenOf(node).find((c, i) => nameOf(c, i) === step)
}

/** within is an array or an object that holds a value. */
function within(value: unknown, step: string | number): unknown {
  return typeof step === 'number' ? [value] : { [step]: value }
}

/** insert adds a value at the end of an array or object, in lines of its own if the others are. Anything else is replaced. */
function insert(text: string, node: Node, step: string | number, value: unknown): string {
  const children = childrenOf(node)
  const last = children.at(-1)
  const own = indentAt(text, node.from)
  if (!last) return text.slice(0, node.from) + write(within(value, step), own) + text.slice(node.to)
  const isFlat = !text.slice(node.from, last.to).includes('\n')
  const name = typeof step === 'string' ? `${JSON.stringify(step)}: ` : ''
  const added = isFlat ? `, ${name}${JSON.stringify(value)}` : `,\n${own}  ${name}${write(value, `${own}  `)}`
  return text.slice(0, last.to) + added + text.slice(last.to)
}

/** write writes a value with two spaces per level, after a line with an indent. */
function write(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
}

/** indentAt is the space at the start of the line of a place. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)![0]
}
