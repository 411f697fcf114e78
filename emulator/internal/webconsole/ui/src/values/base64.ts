/** isBase64 reports whether a text is base64 of the standard alphabet with padding, as DynamoDB requires. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** byteLength is the number of bytes that a base64 text stands for. */
export function byteLength(base64: string): number {
  return (base64.length / 4) * 3 - (base64.match(/=*$/)?.[0].length ?? 0)
}
