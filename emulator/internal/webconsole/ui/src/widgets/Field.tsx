import { useId, type InputHTMLAttributes, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react'

interface Common {
  label: string
  /** The label is only for screen readers. */
  hideLabel?: boolean
  hint?: React.ReactNode
  error?: string
  className?: string
  mono?: boolean
}

function Frame({ id, label, hideLabel, hint, error, className, children }: Common & { id: string; children: React.ReactNode }) {
  return (
    <div className={`field ${className ?? ''}`}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>{label}</label>
      {children}
      {error ? <div id={`${id}-error`} className="error-text">{error}</div> : hint && <div className="hint">{hint}</div>}
    </div>
  )
}

function described(id: string, error: string | undefined) {
  return error ? { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` } : {}
}

type TextProps = Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { onChange?: (text: string) => void }

export function TextField({ label, hideLabel, hint, error, className, mono, onChange, ...rest }: TextProps) {
  const id = useId()
  return (
    <Frame {...{ id, label, hideLabel, hint, error, className }}>
      <input id={id} className={`input ${mono ? 'mono' : ''}`} autoComplete="off" spellCheck={false} {...described(id, error)}
        onChange={(e) => onChange?.(e.target.value)} {...rest} />
    </Frame>
  )
}

type AreaProps = Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & { onChange?: (text: string) => void }

export function TextArea({ label, hideLabel, hint, error, className, mono: _, onChange, ...rest }: AreaProps) {
  const id = useId()
  return (
    <Frame {...{ id, label, hideLabel, hint, error, className }}>
      <textarea id={id} className="input" spellCheck={false} rows={1} {...described(id, error)}
        onChange={(e) => onChange?.(e.target.value)} {...rest} />
    </Frame>
  )
}

type SelectProps<T extends string> = Common & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
  value: T
  options: readonly (T | { value: T; label: string })[]
  onChange: (value: T) => void
}

export function Select<T extends string>({ label, hideLabel, hint, error, className, mono: _, options, onChange, ...rest }: SelectProps<T>) {
  const id = useId()
  return (
    <Frame {...{ id, label, hideLabel, hint, error, className }}>
      <select id={id} className="input" {...described(id, error)} onChange={(e) => onChange(e.target.value as T)} {...rest}>
        {options.map((o) => {
          const { value, label: text } = typeof o === 'string' ? { value: o, label: o } : o
          return <option key={value} value={value}>{text}</option>
        })}
      </select>
    </Frame>
  )
}

export function Check({ children, checked, onChange, disabled }: {
  children: React.ReactNode; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(e) => onChange(e.target.checked)} />
      <span>{children}</span>
    </label>
  )
}

/** Segments chooses one of a few values, as radio buttons side by side. */
export function Segments<T extends string>({ label, value, options, onChange }: {
  label: string; value: T; options: readonly { value: T; label: string }[]; onChange: (value: T) => void
}) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="segments">
      {options.map((o) => (
        <label key={o.value}>
          <input type="radio" name={name} value={o.value} checked={o.value === value} onChange={() => onChange(o.value)} />
          {o.label}
        </label>
      ))}
    </div>
  )
}
