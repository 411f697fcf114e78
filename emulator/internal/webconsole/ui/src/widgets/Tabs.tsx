import { useId, useRef } from 'react'

/** Tabs shows one of several panels. Arrow keys move between the tabs, as the ARIA practices for tabs have it. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: {
  label: string; tabs: readonly T[]; selected: T; onSelect: (tab: T) => void; children: React.ReactNode
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = (tabs.indexOf(selected) + step + tabs.length) % tabs.length
    onSelect(tabs[next]!)
    ;(list.current?.children[next] as HTMLElement).focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} className="tabs" ref={list} onKeyDown={move}>
        {tabs.map((tab, i) => (
          <button key={tab} type="button" role="tab" id={`${id}-${i}`} aria-selected={tab === selected} aria-controls={`${id}-panel`}
            tabIndex={tab === selected ? 0 : -1} onClick={() => onSelect(tab)}>{tab}</button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs.indexOf(selected)}`}>{children}</div>
    </>
  )
}
