/** CSV as RFC 4180 has it, with a guard against cells that spreadsheets run as formulas. */
import { attribute, payload, typeOf, type AttributeValue, type Item } from './attribute'
import { printNativeValue } from './nativeJson'

/** csv writes a table of texts; undefined is an empty cell. The names of its columns are guarded. */
export function csv(header: string[], rows: (string | undefined)[][]): string {
  return [header.map(guardFormula), ...rows].map((row) => row.map((cell) => quote(cell ?? '')).join(',')).join('\r\n') + '\r\n'
}

function quote(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** guardFormula puts an apostrophe before a text that a spreadsheet would run (OWASP, "CSV Injection"). */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** itemsAsCSV has one column per attribute. Strings are guarded; numbers are exact; anything else is JSON. */
export function itemsAsCSV(items: Item[], columns: string[]): string {
  return csv(columns, items.map((item) => columns.map((name) => cellOf(attribute(item, name)))))
}

function cellOf(value: AttributeValue | undefined): string | undefined {
  if (!value) return undefined
  switch (typeOf(value)) {
    case 'S': return guardFormula(payload(value) as string)
    case 'N': case 'B': return payload(value) as string
    default: return printNativeValue(value).replace(/\n\s*/g, ' ')
  }
}
