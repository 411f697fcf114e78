import { parse, print } from './losslessJson'

/** pretty is JSON with line breaks, or the text as it is. */
export function pretty(text: string): string {
  try {
    return print(parse(text))
  } catch {
    return text
  }
}
