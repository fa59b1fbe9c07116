import { useState } from 'preact/hooks'

const SHOWN_MS = 2_000

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    const value = typeof text === 'string' ? text : text()
    setState((await copyText(value)) ? 'copied' : 'failed')
    setTimeout(() => setState('ready'), SHOWN_MS)
  }
  return (
    <button type="button" class="second small" onClick={copy}>
      <span aria-live="polite">{{ ready: label, copied: 'Copied', failed: 'Select the text and copy it' }[state]}</span>
    </button>
  )
}

/** Copies a text. On pages without TLS, browsers have no clipboard but the selection. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
