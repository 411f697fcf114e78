import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from './Button'
import type { IconName } from './Icon'

export interface Action { id: string; label: string; disabled?: boolean; run: () => void }

/** Menu is a button that opens a list of actions. text is what the button shows, if not its whole label. */
export function Menu({ label, text, icon, actions, small, iconOnly }: {
  label: string; text?: string; icon?: IconName; actions: Action[]; small?: boolean; iconOnly?: boolean
}) {
  const run = (id: React.Key) => actions.find((a) => a.id === id)?.run()
  return (
    <MenuTrigger>
      <Button small={small ?? false} {...(icon && { icon })} {...(iconOnly && { kind: 'quiet' as const })}
        {...((iconOnly || text) && { 'aria-label': label })}>
        {iconOnly ? undefined : text ?? label}
      </Button>
      <Popover>
        <AriaMenu onAction={run} disabledKeys={actions.filter((a) => a.disabled).map((a) => a.id)} aria-label={label}>
          {actions.map((a) => <MenuItem key={a.id} id={a.id} className="react-aria-MenuItem">{a.label}</MenuItem>)}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
