/**
 * segment writes a name as a part of a path. Browsers remove the parts "." and ".." of an address, also when they are
 * escaped, and so would name another resource. A semicolon, which no escaped name has, keeps them; the API removes it.
 */
export function segment(name: string): string {
  return /^\.\.?$/.test(name) ? `${name};` : encodeURIComponent(name)
}

/** nameOf reads what segment writes. A text that it never writes is returned as it is. */
export function nameOf(segment: string): string {
  if (/^\.\.?;$/.test(segment)) return segment.slice(0, -1)
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
