import { extensionPages } from './extensions'
import { useEmulator } from './session'

/** Extension shows a page if the emulator has the part of the API that it needs, and otherwise which command has it. */
export function Extension({ name, children }: { name: string; children: React.ReactNode }) {
  const { overview } = useEmulator()
  const page = extensionPages.find((p) => p.name === name)
  if (overview.extensions.includes(name) || !page) return children
  return (
    <div className="empty">
      <h1>{page.label}</h1>
      <p>This emulator was not started by a command that has this page: run {page.commands}.</p>
    </div>
  )
}
