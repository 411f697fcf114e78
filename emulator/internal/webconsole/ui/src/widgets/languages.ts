/** The languages of the code editors: JSON, DynamoDB's expressions, PartiQL and the SQL of Cosmos DB. */
import type { CompletionContext } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { SQLDialect, StandardSQL, sql } from '@codemirror/lang-sql'
import { LanguageSupport, StreamLanguage } from '@codemirror/language'
import { javascript } from '@codemirror/legacy-modes/mode/javascript'
import type { Diagnostic } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { JSONError } from '../values/losslessJson'

export const jsonLanguage: Extension = json()

/** scriptLanguage is that of Cosmos DB's scripts. */
export const scriptLanguage: Extension = StreamLanguage.define(javascript)

const functions = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains', 'size']
const words = ['AND', 'OR', 'NOT', 'BETWEEN', 'IN']

/** expressionLanguage is that of conditions, filters and projections; names are offered for completion. */
export function expressionLanguage(names: string[]): Extension {
  const language = StreamLanguage.define({
    token(stream) {
      if (stream.match(/\s+/)) return null
      if (stream.match(/[#:][A-Za-z0-9_]+/)) return 'variableName'
      if (stream.match(/\d+/)) return 'number'
      const word = stream.match(/[A-Za-z_][A-Za-z0-9_]*/)
      if (!Array.isArray(word)) {
        stream.next()
        return null
      }
      if (functions.includes(word[0])) return 'propertyName'
      return words.includes(word[0].toUpperCase()) ? 'keyword' : null
    },
  })
  const options = [
    ...names.map((label) => ({ label, type: 'property' })), ...words.map((label) => ({ label, type: 'keyword' })),
    ...functions.map((label) => ({ label, apply: `${label}(`, type: 'function' })),
  ]
  return new LanguageSupport(language, language.data.of({ autocomplete: complete(options) }))
}

const partiql = SQLDialect.define({
  keywords: 'select from where insert into value update set remove delete returning all old new modified and or not in is ' +
    'between order by asc desc begins_with contains size attribute_type exists missing null true false list_append set_add set_delete',
  doubleQuotedStrings: false, identifierQuotes: '"', caseInsensitiveIdentifiers: true,
})

const cosmosSQL = SQLDialect.define({
  keywords: 'select distinct top value from where in not and or between like escape exists array join order by asc desc group ' +
    'offset limit as udf null undefined true false count sum min max avg is_defined is_null is_array is_string is_number is_bool ' +
    'is_object contains startswith endswith array_contains array_length upper lower concat substring length',
  doubleQuotedStrings: true, caseInsensitiveIdentifiers: true,
})

/** partiqlLanguage offers tables and attributes for completion. */
export function partiqlLanguage(tables: string[], names: string[]): Extension {
  return withNames(partiql, [...tables.map((t) => `"${t}"`), ...names])
}

export function cosmosLanguage(names: string[]): Extension {
  return withNames(cosmosSQL, ['c', ...names.map((n) => `c.${n}`)])
}

function withNames(dialect: typeof StandardSQL, names: string[]): Extension {
  return [
    sql({ dialect, upperCaseKeywords: true }),
    dialect.language.data.of({ autocomplete: complete(names.map((label) => ({ label, type: 'property' }))) }),
  ]
}

function complete(options: { label: string }[]) {
  return (context: CompletionContext) => {
    const word = context.matchBefore(/["\w.$-]+/)
    return word || context.explicit ? { from: word?.from ?? context.pos, options, validFor: /^["\w.$-]*$/ } : null
  }
}

/** checkWith makes the check of an editor from a reader that throws JSONError. */
export function checkWith(read: (text: string) => unknown): (text: string) => Diagnostic[] {
  return (text) => {
    try {
      read(text)
      return []
    } catch (error) {
      const at = error instanceof JSONError ? error : { from: 0, to: text.length }
      const to = Math.min(at.to, text.length)
      return [{ from: Math.max(0, Math.min(at.from, to)), to, severity: 'error', message: (error as Error).message }]
    }
  }
}
