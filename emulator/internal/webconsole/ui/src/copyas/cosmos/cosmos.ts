/** A query of Cosmos DB as a command or program that sends it, for each language. */
import { asCosmosGherkin } from './gherkin'
import { asCosmosGo } from './go'
import { asCosmosJava } from './java'
import { asCosmosJavaScript } from './javascript'
import { asDotNet } from './dotnet'
import { asCurl } from './curl'
import { asCosmosPython } from './python'
import type { Account, CosmosQuery } from './query'

export const cosmosLanguages = ['curl', 'Go', 'Python', 'JavaScript', 'Java', '.NET', 'Gherkin'] as const
export type CosmosLanguage = (typeof cosmosLanguages)[number]

const writers: Record<CosmosLanguage, (query: CosmosQuery, at: Account) => string> = {
  curl: asCurl, Go: asCosmosGo, Python: asCosmosPython, JavaScript: asCosmosJavaScript, Java: asCosmosJava, '.NET': asDotNet,
  Gherkin: asCosmosGherkin,
}

/** copyCosmosAs writes a query in a language. Errors: Error if it has a partition key that the language has no values for. */
export function copyCosmosAs(language: CosmosLanguage, query: CosmosQuery, at: Account): string {
  return writers[language](query, at)
}
