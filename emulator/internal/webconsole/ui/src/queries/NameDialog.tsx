import { useState } from 'react'
import { Button } from '../widgets/Button'
import { Dialog } from '../widgets/Dialog'
import { TextField } from '../widgets/Field'

interface Props {
  title: string
  button: string
  name: string
  /** Says what happens with a name, such as that it replaces another query, or ''. */
  hintOf?: (name: string) => string
  onName: (name: string) => void
  onClose: () => void
}

/** NameDialog asks for the name of a query or tab. */
export function NameDialog({ title, button, name, hintOf, onName, onClose }: Props) {
  const [text, setText] = useState(name)
  const trimmed = text.trim()
  const submit = () => {
    if (trimmed) onName(trimmed)
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose} onSubmit={submit} footer={<>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" isDisabled={!trimmed}>{button}</Button>
    </>}>
      <TextField label="Name" value={text} onChange={setText} maxLength={100} autoFocus hint={hintOf?.(trimmed)} />
    </Dialog>
  )
}
