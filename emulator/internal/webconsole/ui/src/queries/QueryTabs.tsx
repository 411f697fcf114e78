import { useState } from 'react'
import { Button } from '../widgets/Button'
import { Menu } from '../widgets/Menu'
import { Tabs } from '../widgets/Tabs'
import { toast } from '../widgets/Toasts'
import { NameDialog } from './NameDialog'
import type { useQueryTabs } from './useQueryTabs'
import type { useSaved } from './useSaved'

interface Props<Q, R> {
  label: string
  tabs: ReturnType<typeof useQueryTabs<Q, R>>
  saved: ReturnType<typeof useSaved<Q>>
  children: React.ReactNode
}

/** QueryTabs shows the query of one of several tabs. Tabs are opened, renamed and closed; Delete closes one, too. */
export function QueryTabs<Q, R>({ label, tabs, saved, children }: Props<Q, R>) {
  const { current } = tabs
  const [naming, setNaming] = useState<'save' | 'rename'>()
  const save = (name: string) => {
    if (!saved.save({ name, query: current.query })) return
    tabs.change(current.id, { name })
    toast(`The query ${name} is saved in this browser`)
  }
  const only = tabs.tabs.length === 1
  const actions = [
    { id: 'save', label: 'Save query…', run: () => setNaming('save') },
    { id: 'rename', label: 'Rename tab…', run: () => setNaming('rename') },
    { id: 'duplicate', label: 'Duplicate tab', run: () => tabs.open(current.query) },
    { id: 'close', label: 'Close tab', disabled: only, run: () => tabs.close(current.id) },
  ]
  return (
    <section className="panel" aria-label={label}>
      <Tabs label="Queries" tabs={tabs.tabs.map((t) => t.id)} selected={tabs.selected} onSelect={tabs.select}
        labelOf={(id) => tabs.tabs.find((t) => t.id === id)?.name ?? ''} onClose={tabs.close} after={<>
          <Button small kind="quiet" icon="plus" aria-label="New tab" onPress={() => tabs.open()} />
          <Menu small label="Tab" icon="down" actions={actions} />
        </>}>
        <div className="panel-body stack">{children}</div>
      </Tabs>
      {naming === 'save' && (
        <NameDialog title="Save query" button="Save" name={current.name} onName={save} onClose={() => setNaming(undefined)}
          hintOf={(name) => (saved.all.some((s) => s.name === name) ? 'This replaces the saved query of that name.' : '')} />
      )}
      {naming === 'rename' && (
        <NameDialog title="Rename tab" button="Rename" name={current.name} onName={(name) => tabs.change(current.id, { name })} onClose={() => setNaming(undefined)} />
      )}
    </section>
  )
}
