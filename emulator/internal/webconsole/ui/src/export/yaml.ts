/** A writer of YAML for what the exports hold. */

export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [name: string]: Yaml | undefined }

/** yaml writes a mapping in block style; lists of scalars are on one line. Members that are undefined are left out. */
export function yaml(value: { readonly [name: string]: Yaml | undefined }): string {
  return mapping(value, '')
}

function mapping(value: { readonly [name: string]: Yaml | undefined }, indent: string): string {
  return Object.entries(value).filter(([, v]) => v !== undefined)
    .map(([name, v]) => `${indent}${scalar(name)}:${after(v!, indent)}`).join('')
}

/** after is what follows a name and its colon. */
function after(value: Yaml, indent: string): string {
  if (Array.isArray(value) && value.some((v) => typeof v === 'object')) {
    return '\n' + value.map((v: Yaml) => element(v, indent)).join('')
  }
  if (Array.isArray(value)) return ` [${value.map((v: Yaml) => scalar(v as string)).join(', ')}]\n`
  if (typeof value === 'object') return '\n' + mapping(value as Record<string, Yaml>, indent + '  ')
  return ` ${scalar(value)}\n`
}

/** element is a mapping in a list: its first member follows the dash. */
function element(value: Yaml, indent: string): string {
  return `${indent}  - ${mapping(value as Record<string, Yaml>, indent + '    ').trimStart()}`
}

/** scalar writes a text without quotes only if every YAML reader takes it as that text. */
function scalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const plain = /^[A-Za-z_][A-Za-z0-9_./-]*$/.test(value) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(value)
  return plain ? value : quote(value)
}

/** quote writes a text in double quotes, with escapes that JSON, YAML, HCL and TypeScript share. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
}
