import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'

interface NewSecretProps {
  title: string
  secret: string
  onClose: () => void
  children?: ComponentChildren
}

/** Shows a secret, the only time that anybody can. */
export function NewSecret({ title, secret, onClose, children }: NewSecretProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Copy it now and store it safely. It is shown only this once.</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
      {children}
      <div class="actions end">
        <button type="button" class="first" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  )
}
