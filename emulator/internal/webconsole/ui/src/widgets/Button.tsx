import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { Icon, type IconName } from './Icon'

interface Props extends Omit<ButtonProps, 'children' | 'className'> {
  children?: React.ReactNode
  /** primary is the page's main action; quiet has no border. */
  kind?: 'primary' | 'quiet' | 'danger' | 'danger primary'
  small?: boolean
  icon?: IconName
}

/** Button with a text, an icon, or both. One with only an icon needs an aria-label. */
export function Button({ kind, small, icon, children, ...rest }: Props) {
  const classes = ['button', kind, small && 'small', icon && children === undefined && 'icon'].filter(Boolean).join(' ')
  return (
    <AriaButton className={classes} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  )
}
