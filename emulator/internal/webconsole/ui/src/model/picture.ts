/** The picture of a table of a model: its facets, and the sample items that no facet describes. */
import { entitiesOf, type Entity } from '../design/entities'
import { cellOf, rowOfItem, type Row } from '../design/rows'
import { facetsOf, viewsOf, type Facet, type View } from '../design/views'
import { keyAttributes, tableOf, type ModelFacet, type ModelTable } from './model'

/** Picture has the facets in each view, and the kinds of items that there are samples of. */
export interface Picture { views: { view: View; facets: Facet[] }[]; entities: Entity[] }

export function pictureOf(table: ModelTable): Picture {
  const views = viewsOf(tableOf(table))
  const keys = views[0]!.keys
  const rows = table.TableData.map(rowOfItem)
  const facetOf = rows.map((row) => bestFacet(table, row))
  const named = table.TableFacets.map((f): Entity => ({ name: f.FacetName, rows: rows.filter((_, i) => facetOf[i] === f) }))
  const entities = [...named, ...entitiesOf(rows.filter((_, i) => !facetOf[i]), '', keys)].filter((e) => e.rows.length > 0)
  return { entities, views: views.map((view) => ({ view, facets: view.isWhole ? wholeFacets(table, named, entities, view) : facetsOf(entities, view) })) }
}

/** wholeFacets are the facets as the model has them, also without samples, then the other kinds of items. */
function wholeFacets(table: ModelTable, named: Entity[], entities: Entity[], view: View): Facet[] {
  const drafted = table.TableFacets.map((f, i): Facet => ({
    entity: f.FacetName, count: named[i]!.rows.length, patterns: aliases(table, f).map((alias) => [alias.replace(/\{([^{}]*)\}/g, '<$1>')]),
    example: named[i]!.rows[0] ?? {}, attributes: f.NonKeyAttributes,
  }))
  return [...drafted, ...facetsOf(entities.filter((e) => !named.includes(e)), view)]
}

/** aliases are the patterns of the table's key; one without a pattern may have any value. */
function aliases(table: ModelTable, { KeyAttributeAlias: alias }: ModelFacet): string[] {
  const all = [alias.PartitionKeyAlias, alias.SortKeyAlias ?? '']
  return keyAttributes(table.KeyAttributes).map((a, i) => (all[i] === '' || all[i] === a.AttributeName ? '<…>' : all[i]!))
}

/** bestFacet is the facet whose patterns an item's key has; of several, the one with most of the item's attributes. */
function bestFacet(table: ModelTable, row: Row): ModelFacet | undefined {
  const keys = keyAttributes(table.KeyAttributes)
  const shared = (f: ModelFacet) => f.NonKeyAttributes.filter((name) => cellOf(row, name)).length
  return table.TableFacets
    .filter((f) => aliases(table, f).every((alias, i) => matches(alias, cellOf(row, keys[i]!.AttributeName)?.text ?? '')))
    .sort((a, b) => shared(b) - shared(a))[0]
}

/** matches reports whether a key has a pattern, in which {id} and <id> stand for any text. */
export function matches(pattern: string, key: string): boolean {
  const parts = pattern.split(/\{[^{}]*\}|<[^<>]*>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(key)
}
