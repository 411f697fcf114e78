/** What a plot needs to draw numbers: the scale of its axis, lines and texts. */

/** axisMaximum returns the top of an axis that begins at zero: 1, 2 or 5 times a power of ten, at least the largest value. */
export function axisMaximum(values: readonly (number | undefined)[]): number {
  const most = values.reduce<number>((max, v) => Math.max(max, v ?? 0), 0)
  if (!(most > 0) || !Number.isFinite(most)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= most * 0.999999) ?? most
}

/** line returns the path of values in a box of 1000 by 100, with gaps where there are none. */
export function line(values: readonly (number | undefined)[], max: number): string {
  let path = ''
  let drawing = false
  values.forEach((value, i) => {
    if (value === undefined) return void (drawing = false)
    path += `${drawing ? 'L' : 'M'}${place(values, i, value, max)}`
    drawing = true
  })
  return path
}

/** dots returns the path of the values without a neighbour, which a line does not show. */
export function dots(values: readonly (number | undefined)[], max: number): string {
  return values.map((value, i) => {
    const alone = value !== undefined && values[i - 1] === undefined && values[i + 1] === undefined
    return alone ? `M${place(values, i, value, max)}h0.01` : ''
  }).join('')
}

function place(values: readonly unknown[], i: number, value: number, max: number): string {
  return `${round((i / Math.max(1, values.length - 1)) * 1000)} ${round(100 - (value / max) * 100)}`
}

const round = (n: number) => Math.round(n * 100) / 100

/** compact writes a value with about three digits, such as 1.25, 0.00031 or 12.3K, without exponents; – is an unknown value. */
export function compact(value: number | undefined): string {
  if (value === undefined) return '–'
  if (value !== 0 && Math.abs(value) < 0.001) return value.toLocaleString('en-US', { maximumSignificantDigits: 2 })
  return value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
}

/** timeText writes a time in UTC, given in seconds. */
export function timeText(seconds: number, exact: boolean, days = false): string {
  const text = new Date(seconds * 1000).toISOString()
  if (days) return text.slice(5, 16).replace('T', ' ')
  return text.slice(11, exact ? 19 : 16)
}
