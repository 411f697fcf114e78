import type { Table } from '../../values/table'
import { ExportPanel } from './ExportPanel'
import { IndexesPanel } from './IndexesPanel'
import { SettingsPanel } from './SettingsPanel'
import { useSettings } from './useSettings'

/** Schema shows and changes the settings and indexes of a table, and exports them. */
export function Schema({ table, reload }: { table: Table; reload: () => void }) {
  const settings = useSettings(table, reload)
  return (
    <>
      <SettingsPanel table={table} settings={settings} />
      <IndexesPanel table={table} />
      {settings && <ExportPanel table={table} settings={settings} />}
    </>
  )
}
