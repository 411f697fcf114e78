import { useState } from 'react'
import { Cell, useCell } from './cell'
import { changed, closed, opened, type OpenTabs } from './tabs'

/** The tabs of each page that was shown. */
const pages = new Map<string, Cell<unknown>>()

/** useQueryTabs are the query tabs of a page. The first one, and each new one, begins with the query that first makes. */
export function useQueryTabs<Q, R>(page: string, first: () => Q, reader: () => R) {
  const [cell] = useState(() => {
    if (!pages.has(page)) pages.set(page, new Cell<unknown>(opened(undefined, first(), reader())))
    return pages.get(page) as Cell<OpenTabs<Q, R>>
  })
  const state = useCell(cell)
  return {
    ...state,
    current: state.tabs.find((t) => t.id === state.selected)!,
    select: (id: string) => cell.set({ ...cell.value, selected: id }),
    open: (query = first(), name?: string) => cell.set(opened(cell.value, query, reader(), name)),
    close: (id: string) => cell.set(closed(cell.value, id)),
    change: (id: string, change: { name?: string; query?: Q }) => cell.set(changed(cell.value, id, change)),
  }
}
