/** The drafts of models, which stay in this browser. */
const place = 'tabletop.models'

export interface Draft { id: string; text: string }

export function drafts(): Draft[] {
  try {
    const all = JSON.parse(localStorage.getItem(place) ?? '[]') as unknown
    return Array.isArray(all) ? all as Draft[] : []
  } catch {
    return []
  }
}

/** saveDraft stores a draft under its id, or adds it with a new one, which it returns. Errors: the browser's storage is full. */
export function saveDraft(text: string, id?: string): string {
  const all = drafts()
  const own = id ?? String(1 + Math.max(0, ...all.map((d) => Number(d.id))))
  const rest = all.filter((d) => d.id !== own)
  localStorage.setItem(place, JSON.stringify([...rest, { id: own, text }].sort((a, b) => Number(a.id) - Number(b.id))))
  return own
}

export function deleteDraft(id: string) {
  localStorage.setItem(place, JSON.stringify(drafts().filter((d) => d.id !== id)))
}

/** nameOf is the name of the model of a draft, which may not be valid JSON at the moment. */
export function nameOf({ text }: Draft): string {
  try {
    return (JSON.parse(text) as { ModelName?: string }).ModelName || 'Model without a name'
  } catch {
    return 'Model with a mistake'
  }
}
