import { useState } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { readHidden, shownColumns, writeHidden } from '../values/columns'
import { Button } from './Button'
import { Check, TextField } from './Field'

/** useColumns are the columns of a grid that are shown, and which are hidden, as this browser remembers it for the grid. */
export function useColumns(grid: string, names: string[], fixed: string[]) {
  const [hidden, setHidden] = useState(() => readHidden(grid))
  const hide = (next: ReadonlySet<string>) => {
    setHidden(next)
    writeHidden(grid, next)
  }
  return { shown: shownColumns(names, fixed, hidden), hidden, hide, names, fixed }
}

/** ColumnChooser is a button that opens the list of columns, to hide and show them. */
export function ColumnChooser({ hidden, hide, names, fixed }: ReturnType<typeof useColumns>) {
  const [search, setSearch] = useState('')
  const others = names.filter((n) => !fixed.includes(n))
  const found = others.filter((n) => n.toLowerCase().includes(search.trim().toLowerCase()))
  const count = others.filter((n) => hidden.has(n)).length
  const change = (changed: string[], isHidden: boolean) => {
    const next = new Set(hidden)
    for (const name of changed) if (isHidden) next.add(name); else next.delete(name)
    hide(next)
  }
  if (others.length === 0) return null
  return (
    <DialogTrigger>
      <Button small icon="table">Columns{count > 0 && ` (${count} hidden)`}</Button>
      <Popover>
        <Dialog className="column-chooser" aria-label="Columns">
          <TextField label="Find a column" hideLabel placeholder="Find a column" type="search" value={search} onChange={setSearch} />
          <div className="row">
            <Button small onPress={() => change(found, false)}>Show all</Button>
            <Button small onPress={() => change(found, true)}>Hide all</Button>
          </div>
          <div className="column-list" tabIndex={0} role="group" aria-label="Columns that are shown">
            {found.map((n) => <Check key={n} checked={!hidden.has(n)} onChange={(shown) => change([n], !shown)}><bdi className="break">{n}</bdi></Check>)}
            {found.length === 0 && <span className="muted">No such column</span>}
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
