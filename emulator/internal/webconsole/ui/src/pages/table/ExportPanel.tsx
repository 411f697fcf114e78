import { useState } from 'react'
import { useEmulator } from '../../app/session'
import { exportSchema, fileName, formats, type Format } from '../../export/export'
import type { Table } from '../../values/table'
import { download } from '../../values/download'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'
import { Tabs } from '../../widgets/Tabs'
import { isOn } from './SettingDialogs'
import type { Settings } from './useSettings'

/** ExportPanel shows the schema of a table as a file of each tool that creates tables. */
export function ExportPanel({ table, settings }: { table: Table; settings: Settings }) {
  const { overview, region } = useEmulator()
  const [format, setFormat] = useState<Format>('tables.yaml')
  const { ttl, recovery, tags } = settings
  const text = exportSchema(format, {
    table,
    ttl: isOn(ttl) ? ttl?.AttributeName ?? '' : '',
    recoveryDays: recovery?.PointInTimeRecoveryStatus === 'ENABLED' ? recovery.RecoveryPeriodInDays ?? 35 : 0,
    tags: tags ?? [],
  }, { ...overview.dynamodb, region })
  return (
    <section className="panel" aria-labelledby="export">
      <div className="panel-head">
        <h2 id="export">Export the schema</h2>
        <Button small onPress={() => download(fileName(format, table.TableName), 'text/plain', text)}>Download</Button>
      </div>
      <Tabs label="Format" tabs={formats} selected={format} onSelect={setFormat}>
        <div className="panel-body"><Code text={text} label={`${format} of this table`} /></div>
      </Tabs>
    </section>
  )
}
