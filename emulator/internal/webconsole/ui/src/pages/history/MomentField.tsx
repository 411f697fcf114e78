import { useState } from 'react'
import { exactText, parseMoment } from '../../history/moment'
import { TextField } from '../../widgets/Field'

/** MomentField is a time in UTC, which is taken when the field is left or with Enter. What is being written stays when the time passes. */
export function MomentField({ label, value, onChange }: { label: string; value: string; onChange: (moment: string) => void }) {
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState('')
  const reset = () => {
    setDraft(undefined)
    setError('')
  }
  const take = () => {
    if (draft === undefined || draft === exactText(value)) return reset()
    try {
      onChange(parseMoment(draft))
      reset()
    } catch (e) {
      setError((e as Error).message)
    }
  }
  return (
    <TextField label={label} value={draft ?? exactText(value)} mono onChange={setDraft} onBlur={take} style={{ width: 250, maxWidth: '100%' }}
      {...(error && { error })} onKeyDown={(e) => { if (e.key === 'Enter') take(); else if (e.key === 'Escape') reset() }} />
  )
}
