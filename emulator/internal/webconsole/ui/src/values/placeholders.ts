import type { AttributeValue } from './attribute'
import { record, sameValue } from './attribute'
import type { Step } from './path'

/** Placeholders collects the names and values of expressions: #0, #1, … and :0, :1, … */
export class Placeholders {
  readonly names = record<string>()
  readonly values = record<AttributeValue>()
  private namesTo = new Map<string, string>()

  name(name: string): string {
    let placeholder = this.namesTo.get(name)
    if (!placeholder) {
      placeholder = `#${this.namesTo.size}`
      this.namesTo.set(name, placeholder)
      this.names[placeholder] = name
    }
    return placeholder
  }

  value(value: AttributeValue): string {
    const same = Object.keys(this.values).find((p) => sameValue(this.values[p]!, value))
    if (same) return same
    const placeholder = `:${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  path(steps: Step[]): string {
    return steps.map((s, i) => ('index' in s ? `[${s.index}]` : (i > 0 ? '.' : '') + this.name(s.name))).join('')
  }

  /** fields are the parameters of a request; empty ones are absent, because the service refuses them. */
  fields(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, AttributeValue> } {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}
