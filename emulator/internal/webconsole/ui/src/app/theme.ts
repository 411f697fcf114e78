/** The theme: the system's, unless the person chose one; kept in this browser. */

export type Theme = 'system' | 'light' | 'dark'

const key = 'tabletop.theme'

export function theme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(next: Theme) {
  if (next === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, next)
  applyTheme()
}

export function applyTheme() {
  const chosen = theme()
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
