/** The pages of extensions: parts of the API that only some commands have. */
import type { IconName } from '../widgets/Icon'

export interface ExtensionPage { name: string; label: string; icon: IconName; commands: string }

export const extensionPages: readonly ExtensionPage[] = [
  { name: 'load', label: 'Load tests', icon: 'gauge', commands: 'tabletop emulator or tabletop up' },
  { name: 'specs', label: 'Specs', icon: 'list', commands: 'tabletop emulator or tabletop up' },
  { name: 'simulations', label: 'Simulations', icon: 'device', commands: 'tabletop up' },
  { name: 'pushes', label: 'Push messages', icon: 'bell', commands: 'tabletop up' },
]

/** missingText says which command has the pages that are not here, or '' if all are. */
export function missingText(extensions: readonly string[]): string {
  const missing = extensionPages.filter((p) => !extensions.includes(p.name))
  if (missing.length === 0) return ''
  const labels = missing.map((p, i) => (i === 0 ? p.label : p.label.toLowerCase())).join(', ')
  return `${labels}: run tabletop up.`
}
