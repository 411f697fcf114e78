import { useState } from 'react'
import { TextField } from './Field'

const read = (text: string) => text.split(',').map((name) => name.trim()).filter(Boolean)

/** ListField edits names that are separated by commas. */
export function ListField({ names, onChange, ...rest }: {
  label: string; names: string[]; onChange: (names: string[]) => void; error?: string; hint?: React.ReactNode; onBlur?: () => void
}) {
  // What was typed stays while it stands for the names: a comma at the end is no name yet.
  const [typed, setTyped] = useState('')
  const text = JSON.stringify(read(typed)) === JSON.stringify(names) ? typed : names.join(', ')
  return <TextField {...rest} value={text} onChange={(next) => {
    setTyped(next)
    onChange(read(next))
  }} />
}
