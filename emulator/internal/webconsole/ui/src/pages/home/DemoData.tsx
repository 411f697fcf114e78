import { useState } from 'react'
import { useEmulator } from '../../app/session'
import { Button } from '../../widgets/Button'
import { toast } from '../../widgets/Toasts'
import { createDemoContainer, createDemoTable } from './createDemo'
import { demoContainer, demoDatabase, demoTable } from './demo'

/** useDemoData creates the demo data. It outlives the button, which goes as soon as there is a table. */
export function useDemoData() {
  const { overview } = useEmulator()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const create = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await createDemoTable()
      if (overview.cosmos) await createDemoContainer()
      toast(`Table ${demoTable}${overview.cosmos ? ` and container ${demoDatabase}/${demoContainer} are` : ' is'} created`)
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  return { create, busy, error }
}

/** DemoData is what Home shows instead of an empty list of tables. */
export function DemoData({ demo }: { demo: ReturnType<typeof useDemoData> }) {
  const { overview } = useEmulator()
  return (
    <div className="empty">
      <h2>No tables yet</h2>
      <p>Create some customers and orders to look around{overview.cosmos ? ': a table, and a container of Cosmos DB' : ''}.</p>
      <Button kind="primary" onPress={demo.create} isDisabled={demo.busy}>Create demo data</Button>
    </div>
  )
}
