import { useFaults } from '../pages/faults/useFaults'
import { Icon } from '../widgets/Icon'
import { Link } from './router'

/** FaultBadge says in the header that faults are active: requests then fail on purpose. */
export function FaultBadge() {
  const active = (useFaults().data ?? []).filter((f) => !f.ended).length
  if (active === 0) return null
  const text = active === 1 ? 'fault active' : 'faults active'
  return (
    <Link href="/faults" className="fault-badge badge bad" title={`${active} ${text}`} aria-label={`${active} ${text}`}>
      <Icon name="fault" />{active} <span className="text">{text}</span>
    </Link>
  )
}
