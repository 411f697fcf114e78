import { useState } from 'react'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { toast } from '../../widgets/Toasts'
import { createDemoContainer, createDemoTable } from './createDemo'
import { demoContainer, demoDatabase, demoItems, demoOrders, demoTable, type Demo } from './demo'

/** useDemoData creates the missing demo data. It outlives the buttons, which go as soon as nothing is missing. */
export function useDemoData() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const create = async (missing: Demo) => {
    setBusy(true)
    setError(undefined)
    try {
      if (missing.table) await createDemoTable()
      if (missing.container) await createDemoContainer()
      toast(createdText(missing))
    } catch (e) {
      setError(e as Error)
    }
    setBusy(false)
  }
  return { create, busy, error }
}

type DemoState = ReturnType<typeof useDemoData>

function createdText({ table, container }: Demo): string {
  const names = [table && `table ${demoTable}`, container && `container ${demoDatabase}/${demoContainer}`].filter((n) => n !== false)
  const text = `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} created`
  return text[0]!.toUpperCase() + text.slice(1)
}

/** DemoData is what Home shows instead of an empty list of tables. */
export function DemoData({ demo, missing }: { demo: DemoState; missing: Demo }) {
  return (
    <div className="empty">
      <h2>No tables yet</h2>
      <p>Create some customers and orders to look around{missing.container ? ': a table, and a container of Cosmos DB' : ''}.</p>
      <Button kind="primary" onPress={() => void demo.create(missing)} isDisabled={demo.busy}>Create demo data</Button>
    </div>
  )
}

/** AddDemoData offers what is missing of the demo data where there are other tables, and says what it creates. */
export function AddDemoData({ demo, missing }: { demo: DemoState; missing: Demo }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (demo.busy || (!missing.table && !missing.container)) return null
  return (
    <>
      <Button small onPress={() => setOpen(true)}>Add demo data…</Button>
      {open && (
        <Dialog title="Add demo data" onClose={close} onSubmit={() => { close(); void demo.create(missing) }} footer={<>
          <Button onPress={close}>Cancel</Button>
          <Button kind="primary" type="submit" autoFocus>Add</Button>
        </>}>
          <p>Customers and orders to look around. Your tables and containers stay as they are. This creates:</p>
          <ul className="stack tight">
            {missing.table && <li>the DynamoDB table <strong>{demoTable}</strong> with {demoItems().length} items and an index</li>}
            {missing.container && <li>the Cosmos DB container <strong>{demoDatabase}/{demoContainer}</strong> with {demoOrders().length} items</li>}
          </ul>
        </Dialog>
      )}
    </>
  )
}
