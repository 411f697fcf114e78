import { useEffect } from 'react'
import { recovery, tagsOf, timeToLive, type Recovery, type Tag, type TimeToLive } from '../../api/dynamodb'
import { concernsTable, useResource } from '../../api/useResource'
import { isChanging, type Table } from '../../values/table'

/** Settings are what DescribeTable does not describe. One that the user may not read is undefined, with its refusal in error. */
export interface Settings { ttl?: TimeToLive; recovery?: Recovery; tags?: Tag[]; error?: Error }

/** How often the status of a table is read while it changes, in milliseconds: nobody announces the end of a change. */
const pollInterval = 1000

export function useSettings(table: Table, reloadTable: () => void): Settings | undefined {
  const name = table.TableName
  const settings = useResource(`settings ${name}`, () => readSettings(table), concernsTable(name, 'schema'))
  const status = settings.data?.ttl?.TimeToLiveStatus ?? ''
  const isPending = isChanging(table) || status === 'ENABLING' || status === 'DISABLING'
  const { reload } = settings
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(() => {
      reloadTable()
      reload()
    }, pollInterval)
    return () => clearInterval(timer)
  }, [isPending, reloadTable, reload])
  return settings.data
}

async function readSettings({ TableName: name, TableArn: arn }: Table): Promise<Settings> {
  const results = await Promise.allSettled([timeToLive(name), recovery(name), tagsOf(arn)])
  const [ttl, pitr, tags] = results
  const refused = results.find((r) => r.status === 'rejected')
  return {
    ...(ttl.status === 'fulfilled' && { ttl: ttl.value }),
    ...(pitr.status === 'fulfilled' && { recovery: pitr.value }),
    ...(tags.status === 'fulfilled' && { tags: tags.value }),
    ...(refused && { error: refused.reason as Error }),
  }
}
