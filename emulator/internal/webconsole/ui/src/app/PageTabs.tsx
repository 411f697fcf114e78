import { useRef } from 'react'
import { useSelectedInView } from '../widgets/Tabs'
import { Link } from './router'

/** PageTabs are links to the parts of a page, such as a table's items and schema. */
export function PageTabs<T extends string>({ label, tabs, current, href }: {
  label: string; tabs: Record<T, string>; current: T; href: (tab: T) => string
}) {
  const list = useRef<HTMLElement>(null)
  useSelectedInView(list, current)
  return (
    <nav className="tabs" aria-label={label} ref={list}>
      {(Object.keys(tabs) as T[]).map((tab) => (
        <Link key={tab} href={href(tab)} {...(tab === current && { 'aria-current': 'page' as const })}>{tabs[tab]}</Link>
      ))}
    </nav>
  )
}
