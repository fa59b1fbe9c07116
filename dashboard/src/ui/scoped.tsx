import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { currentUser, type User } from '../api/session.ts'

type Scope = NonNullable<User['operatorScope']>

const RANKS: Record<Scope, number> = { read: 0, support: 1, owner: 2 }

/** Returns whether the person may do what needs a scope. */
function mayAs(needed: Scope): boolean {
  const { operatorScope } = currentUser()
  return operatorScope !== null && RANKS[operatorScope] >= RANKS[needed]
}

interface ScopedButtonProps extends Omit<ButtonHTMLAttributes, 'disabled'> {
  needs: Scope
  disabled?: boolean
  children: ComponentChildren
}

/** A button that people with a smaller scope see, but cannot use. */
export function ScopedButton({ needs, disabled = false, children, ...props }: ScopedButtonProps) {
  const isAllowed = mayAs(needs)
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || !isAllowed}
      title={isAllowed ? props.title : `Needs the scope “${needs}”`}
    >
      {children}
    </button>
  )
}

/** Tells people with a smaller scope why buttons are disabled. */
export function ScopeNote({ needs, to }: { needs: Scope; to: string }) {
  if (mayAs(needs)) return null
  return (
    <p class="notice">
      You may look at this page. To {to}, you need the scope “{needs}”; yours is “{currentUser().operatorScope}”.
    </p>
  )
}
