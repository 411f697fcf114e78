/**
 * Moments of the emulator's clock. They are texts as the API has them, RFC 3339 in UTC with up to nine digits of fraction:
 * changes can be a nanosecond apart, which a Date would lose. Places on a timeline are milliseconds since 1970.
 */

/** placeOf is the millisecond of a moment. */
export function placeOf(moment: string): number {
  return Date.parse(moment.replace(/(\.\d{3})\d+/, '$1'))
}

/** momentAt is the moment at the start of a millisecond. */
export function momentAt(place: number): string {
  return new Date(place).toISOString().replace(/\.000Z$/, 'Z')
}

/** momentText writes a moment for people, to the millisecond, without a fraction that is zero. */
export function momentText(moment: string): string {
  return exactText(moment.replace(/(\.\d{3})\d+/, '$1'))
}

/** exactText writes a moment for people with all of its digits: where moments of the same millisecond have to be told apart. */
export function exactText(moment: string): string {
  return moment.replace('T', ' ').replace(/Z$/, '').replace(/\.0*$/, '')
}

/** textsOf writes moments for people: to the millisecond, and exactly next to another one of the same millisecond. */
export function textsOf(moments: string[]): string[] {
  const short = moments.map(momentText)
  return moments.map((moment, i) => (short[i] === short[i - 1] || short[i] === short[i + 1] ? exactText(moment) : short[i]!))
}

/** parseMoment reads what a person wrote as a moment in UTC: 2026-11-26 21:00:05.5, or only a part of it. Errors: Error. */
export function parseMoment(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d)(:\d\d)?(\.\d{1,9})?)?\s*(Z|UTC)?$/i.exec(text.trim())
  const [, date, minute = '00:00', second = ':00', fraction = ''] = match ?? []
  const moment = `${date}T${minute}${second}${fraction}Z`
  // A Date accepts February 30th, and makes another day of it.
  if (!match || Number.isNaN(placeOf(moment)) || !new Date(placeOf(moment)).toISOString().startsWith(date!)) {
    throw new Error('Write a time in UTC, such as 2026-11-26 21:00:05')
  }
  return moment
}

/** compareMoments orders two moments exactly. */
export function compareMoments(a: string, b: string): number {
  const digits = (m: string) => m.replace('Z', '').replace(/^([^.]*)$/, '$1.').padEnd(30, '0')
  const [x, y] = [digits(a), digits(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** wholeSecond leaves out the fraction of a moment: point-in-time recovery restores whole seconds. */
export function wholeSecond(moment: string): string {
  return moment.replace(/\.\d+Z$/, 'Z')
}
