import { ApiError } from 'mintick-client'
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  /** A sentence below the field. */
  hint?: ComponentChildren
  /** Name of the field of the request, to show what the service says about it. */
  name?: string
  error?: Error | null
  children: (props: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => JSX.Element
}

/** A field of a form with its label, and the error of the service about it. */
export function Field({ label, hint, name, error, children }: FieldProps) {
  const id = useId()
  const problem = error instanceof ApiError ? error.details?.find(({ field }) => field === name)?.message : undefined
  const noteId = hint === undefined && problem === undefined ? undefined : `${id}-note`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': problem === undefined ? undefined : true })}
      {noteId !== undefined && (
        <p id={noteId} class={problem === undefined ? 'quiet small' : 'small bad-text'}>
          {problem === undefined ? hint : `${label} ${problem}`}
        </p>
      )}
    </div>
  )
}

/** Returns the values of a form by name; empty fields are left out. */
export function formValues(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  )
  return Object.fromEntries(entries)
}

interface FormProps {
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => void
  class?: string
  children: ComponentChildren
}

/** A form whose values go to `onSubmit`. */
export function Form({ onSubmit, class: name, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(formValues(event.currentTarget), event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}

/** The `ref` of a field that has focus when it appears. */
export const focusAtOnce = (field: HTMLElement | null) => field?.focus()
