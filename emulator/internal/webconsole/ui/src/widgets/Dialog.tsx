import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './Button'
import { useFocusReturn } from './focusReturn'

interface Props {
  title: React.ReactNode
  onClose: () => void
  children: React.ReactNode
  footer?: React.ReactNode
  /** side fills the height at the right edge; left is the navigation of narrow screens. */
  place?: 'side' | 'side left' | 'wide'
  onSubmit?: () => void
  /** With role alertdialog the dialog asks before something is lost. */
  role?: 'dialog' | 'alertdialog'
}

/** Dialog is a modal dialog that is open while it is rendered. Escape and the close button call onClose. */
export function Dialog({ title, onClose, children, footer, place, onSubmit, role = 'dialog' }: Props) {
  useFocusReturn()
  const content = (
    <>
      <header>
        <Heading slot="title" level={2}>{title}</Heading>
        <Button kind="quiet" icon="close" aria-label="Close" onPress={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  )
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable={role === 'dialog' && place !== 'side'}
      className={`react-aria-ModalOverlay ${place ?? ''}`}>
      <Modal className={`modal ${place === 'wide' ? 'wide' : ''}`}>
        <AriaDialog className="dialog" role={role}>
          {onSubmit ? (
            <form onSubmit={(e) => { e.preventDefault(); e.stopPropagation(); onSubmit() }}>{content}</form>
          ) : content}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
