/** Numbers as DynamoDB has them: up to 38 significant digits, as text, because JavaScript's have only 15. */

const pattern = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,5})?\s*$/

/** numberError says why a text is not a number that DynamoDB accepts, or returns ''. Source: the developer guide,
 * "Number": 38 digits of precision, magnitudes from 1E-130 to 9.9999999999999999999999999999999999999E+125. */
export function numberError(text: string): string {
  if (!pattern.test(text)) return 'Not a number'
  const { digits, exponent } = parts(text)
  if (digits === '') return ''
  if (digits.length > 38) return `A number has at most 38 significant digits; this has ${digits.length}`
  const magnitude = exponent + digits.length - 1
  if (magnitude > 125) return 'A number is at most 9.9E+125 in magnitude'
  if (magnitude < -130) return 'A number is at least 1E-130 in magnitude'
  return ''
}

/** parts are the significant digits of a number, without zeros at either end, and the power of ten of the last one. */
function parts(text: string): { digits: string; exponent: number; negative: boolean } {
  const [mantissa = '', power = '0'] = text.trim().toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  const exponent = Number(power) - fraction.length + (all.length - digits.length)
  return { digits, exponent, negative: mantissa.startsWith('-') && digits !== '' }
}

/** compareNumbers orders two numbers exactly. */
export function compareNumbers(a: string, b: string): number {
  const [x, y] = [parts(a), parts(b)]
  if (x.negative !== y.negative) return x.negative ? -1 : 1
  const order = compareMagnitudes(x, y)
  return x.negative ? -order : order
}

function compareMagnitudes(x: ReturnType<typeof parts>, y: ReturnType<typeof parts>): number {
  if (x.digits === '' || y.digits === '') return Math.sign(x.digits.length - y.digits.length)
  const [mx, my] = [x.exponent + x.digits.length, y.exponent + y.digits.length]
  if (mx !== my) return mx < my ? -1 : 1
  const width = Math.max(x.digits.length, y.digits.length)
  const [dx, dy] = [x.digits.padEnd(width, '0'), y.digits.padEnd(width, '0')]
  return dx < dy ? -1 : dx > dy ? 1 : 0
}
