import { signal } from '@preact/signals'
import { Transport } from 'mintick-client'

/** A person who is signed in. */
export interface User {
  id: string
  email: string | null
  isConfirmed: boolean
  hasPassword: boolean
  hasSecondFactor: boolean
  /** Whether an organisation manages the address and the ways to sign in. */
  isManaged: boolean
  /** The account whose API the person uses; null for operators without one. */
  accountId: string | null
  operatorScope: 'read' | 'support' | 'owner' | null
}

interface SessionState {
  user: User | null
  features: { signUp: boolean; mail: boolean; oidc: { name: string } | null }
}

const transport = new Transport({ url: location.origin, maxRetries: 0 })

/** The session of this browser; undefined until it is known. */
export const session = signal<SessionState | undefined>(undefined)

/** Calls an endpoint of the sign-in, which knows this browser by its cookie. */
export async function callSignIn<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const { body: answer } = await transport.send(
    method,
    `/dashboard/auth${path}`,
    method === 'GET' ? undefined : (body ?? {}),
  )
  return answer.data as T
}

/** Asks the service who is signed in. */
export async function loadSession(): Promise<void> {
  session.value = await callSignIn<SessionState>('GET', '/session')
}

export async function signOut(): Promise<void> {
  await callSignIn('POST', '/sign-out')
  // Nothing of this person may stay in memory.
  location.assign('/dashboard')
}

/** Returns the person who is signed in. Pages are shown only with one. */
export function currentUser(): User {
  const user = session.value?.user
  if (user === undefined || user === null) throw new Error('nobody is signed in')
  return user
}
