import { ErrorNotice } from './states.tsx'

interface FormButtonsProps {
  action: string
  isPending: boolean
  error: Error | null
  isDangerous?: boolean
  isReady?: boolean
  onClose: () => void
}

/** The buttons at the end of a form in a dialog, with the error of the last attempt. */
export function FormButtons({ action, isPending, error, isDangerous, isReady = true, onClose }: FormButtonsProps) {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <div class="actions end">
        <button type="button" class="second" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class={isDangerous ? 'danger' : 'first'} disabled={isPending || !isReady}>
          {isPending ? 'Working…' : action}
        </button>
      </div>
    </>
  )
}
