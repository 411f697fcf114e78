import type { Rule } from '../../api/admin'

const lists = ['operations', 'tables', 'identities'] as const
const texts = ['name', 'partitionKey', 'sortKey', 'latency', 'latencyP99', 'for'] as const
const numbers = ['probability', 'skip', 'every', 'times', 'fraction'] as const

/** Fields is what a person has typed, by the names of a rule's fields. */
export type Fields = Record<(typeof lists)[number] | (typeof texts)[number] | (typeof numbers)[number], string>

/**
 * ruleOf converts what was typed. Empty fields are left out, lists are separated by commas. A number that is none stays
 * text, so that the emulator refuses it by the name of its field.
 */
export function ruleOf(fields: Fields): Partial<Rule> {
  const rule: Record<string, unknown> = {}
  for (const name of lists) {
    const members = fields[name].split(',').map((m) => m.trim()).filter(Boolean)
    if (members.length) rule[name] = members
  }
  for (const name of texts) if (fields[name].trim()) rule[name] = fields[name].trim()
  for (const name of numbers) {
    const text = fields[name].trim()
    if (text) rule[name] = Number.isFinite(Number(text)) ? Number(text) : text
  }
  return rule
}
