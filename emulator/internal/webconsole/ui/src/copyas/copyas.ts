/** A request as a command or program that sends it, for each language. */
import type { Request } from '../values/filter'
import { asCLI } from './cli'
import { asGherkin } from './gherkin'
import { asGo } from './go'
import { asJava } from './java'
import { asJavaScript } from './javascript'
import { asPython } from './python'

export interface Endpoint { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

export const languages = ['AWS CLI', 'Go', 'Python', 'JavaScript', 'Java', 'Gherkin'] as const
export type Language = (typeof languages)[number]

const writers: Record<Language, (request: Request, at: Endpoint) => string> = {
  'AWS CLI': asCLI, Go: asGo, Python: asPython, JavaScript: asJavaScript, Java: asJava, Gherkin: asGherkin,
}

/**
 * copyAs writes a request in a language. A request of another client may have members whose names are code; those that
 * are not names of the API are left out.
 */
export function copyAs(language: Language, request: Request, at: Endpoint): string {
  const input = Object.fromEntries(Object.entries(request.input).filter(([name]) => /^[A-Za-z]+$/.test(name)))
  return writers[language]({ ...request, input }, at)
}
