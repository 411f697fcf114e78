import { useEffect, useState } from 'react'
import { momentText, parseMoment } from '../../history/moment'
import { TextField } from '../../widgets/Field'

/** MomentField is a time in UTC, which is taken when the field is left or with Enter. */
export function MomentField({ label, value, onChange }: { label: string; value: string; onChange: (moment: string) => void }) {
  const [text, setText] = useState(momentText(value))
  const [error, setError] = useState('')
  const reset = () => {
    setText(momentText(value))
    setError('')
  }
  useEffect(reset, [value])
  const take = () => {
    if (text === momentText(value)) return setError('')
    try {
      onChange(parseMoment(text))
      setError('')
    } catch (e) {
      setError((e as Error).message)
    }
  }
  return (
    <TextField label={label} value={text} mono onChange={setText} onBlur={take} style={{ width: 250, maxWidth: '100%' }} {...(error && { error })}
      onKeyDown={(e) => { if (e.key === 'Enter') take(); else if (e.key === 'Escape') reset() }} />
  )
}
