/** The query tabs of a page: they last until the console is closed or loaded again, with their texts and results. */

/** QueryTab is a query of type Q with the reader R of its results. */
export interface QueryTab<Q, R> { id: string; name: string; query: Q; reader: R }

export interface OpenTabs<Q, R> {
  tabs: QueryTab<Q, R>[]
  /** The id of the tab that is shown. */
  selected: string
  /** How many tabs were opened so far, also those that are closed. */
  opened: number
}

/** opened returns the tabs with a new one at the end, which is shown. Without a name it is Query 1, Query 2 and so on. */
export function opened<Q, R>(before: OpenTabs<Q, R> | undefined, query: Q, reader: R, name?: string): OpenTabs<Q, R> {
  const count = (before?.opened ?? 0) + 1
  const id = String(count)
  return { tabs: [...(before?.tabs ?? []), { id, name: name ?? `Query ${count}`, query, reader }], selected: id, opened: count }
}

/** closed returns the tabs without one; its neighbour is shown instead. The last tab stays. */
export function closed<Q, R>(before: OpenTabs<Q, R>, id: string): OpenTabs<Q, R> {
  const at = before.tabs.findIndex((t) => t.id === id)
  if (at < 0 || before.tabs.length === 1) return before
  const tabs = before.tabs.filter((t) => t.id !== id)
  return { ...before, tabs, selected: before.selected === id ? tabs[Math.min(at, tabs.length - 1)]!.id : before.selected }
}

/** changed returns the tabs with another name or query of one. */
export function changed<Q, R>(before: OpenTabs<Q, R>, id: string, change: { name?: string; query?: Q }): OpenTabs<Q, R> {
  return { ...before, tabs: before.tabs.map((t) => (t.id === id ? { ...t, ...change } : t)) }
}
