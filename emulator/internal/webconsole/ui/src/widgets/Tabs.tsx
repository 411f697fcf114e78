import { useEffect, useId, useLayoutEffect, useRef, type RefObject } from 'react'

interface Props<T extends string> {
  label: string
  tabs: readonly T[]
  selected: T
  onSelect: (tab: T) => void
  /** The text of a tab; without it, the tab itself. */
  labelOf?: (tab: T) => string
  /** Called with the Delete key, as the ARIA practices have it for tabs that can be closed. */
  onClose?: (tab: T) => void
  /** What stands after the tabs. */
  after?: React.ReactNode
  children: React.ReactNode
}

/** Tabs shows one of several panels. Arrow keys move between the tabs, as the ARIA practices for tabs have it. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, labelOf = (tab) => tab, onClose, after, children }: Props<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // The tab that had the focus is gone after it is closed; the one that is shown then gets it.
  const closing = useRef(false)
  const at = tabs.indexOf(selected)
  useSelectedInView(list, `${at} ${tabs.length}`)
  useLayoutEffect(() => {
    if (closing.current) (list.current!.children[at] as HTMLElement).focus()
    closing.current = false
  }, [at, tabs.length])
  const keyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Delete' && onClose) {
      closing.current = true
      return onClose(selected)
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = (at + step + tabs.length) % tabs.length
    onSelect(tabs[next]!)
    ;(list.current?.children[next] as HTMLElement).focus()
  }
  return (
    <>
      <div className="tab-bar">
        <div role="tablist" aria-label={label} className="tabs" ref={list} onKeyDown={keyDown}>
          {tabs.map((tab, i) => (
            <button key={tab} type="button" role="tab" id={`${id}-${i}`} aria-selected={i === at} aria-controls={`${id}-panel`}
              tabIndex={i === at ? 0 : -1} onClick={() => onSelect(tab)}><bdi className="clip">{labelOf(tab)}</bdi></button>
          ))}
        </div>
        {after && <div className="row">{after}</div>}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`}>{children}</div>
    </>
  )
}

/** useSelectedInView scrolls a list of tabs that is wider than the window to the selected one. */
export function useSelectedInView(list: RefObject<HTMLElement | null>, selected: string) {
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current]')
    if (tab) list.current!.scrollLeft = tab.offsetLeft - (list.current!.clientWidth - tab.offsetWidth) / 2
  }, [list, selected])
}
