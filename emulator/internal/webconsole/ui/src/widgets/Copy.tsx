import { useState } from 'react'
import { Button } from './Button'

/** copyText puts a text on the clipboard, also where the browser has no Clipboard API: pages over HTTP from another host. */
export async function copyText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return <Button kind="quiet" small icon={copied ? 'check' : 'copy'} aria-label={copied ? 'Copied' : label} onPress={copy} />
}

/** Code shows a program with a button that copies it. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-wrap">
      <pre className="code" tabIndex={0} role="region" aria-label={label}>{text}</pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  )
}
