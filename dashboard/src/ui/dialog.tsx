import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { ErrorNotice } from './states.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A modal dialog, open as long as it is rendered. It begins in its first field; Escape closes it, and focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the next key is handled: Tab must not leave the opener.
  useLayoutEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    ref.current?.querySelector<HTMLElement>('form input, [role=combobox]')?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={onClose}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={() => ref.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** Text of the button, such as "Revoke". */
  action: string
  /** Whether it adds something rather than taking it away. */
  isHarmless?: boolean
  isPending?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
  children: ComponentChildren
}

/** Asks before something is done that cannot be undone. */
export function Confirm({
  title,
  action,
  isHarmless = false,
  isPending = false,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error != null && <ErrorNotice error={error} />}
      <div class="actions end">
        <button type="button" class="second" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class={isHarmless ? 'first' : 'danger'} disabled={isPending} onClick={onConfirm}>
          {isPending ? 'Working…' : action}
        </button>
      </div>
    </Dialog>
  )
}
