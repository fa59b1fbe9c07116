import { signal } from '@preact/signals'
import { Mintick } from 'mintick-client'
import { MintickAdmin } from 'mintick-client/admin'
import { callSignIn, loadSession } from './session.ts'

const RENEW_BEFORE_MS = 60_000

/** A token of the session for one API, renewed before it expires. */
class SessionToken {
  readonly #path: string
  #token: Promise<{ token: string; expiresAt: string }> | undefined

  constructor(path: string) {
    this.#path = path
  }

  readonly get = async (): Promise<string> => {
    this.#token ??= callSignIn('POST', this.#path)
    try {
      const { token, expiresAt } = await this.#token
      if (Date.parse(expiresAt) - Date.now() > RENEW_BEFORE_MS) return token
      this.drop()
      return this.get()
    } catch (error) {
      this.drop()
      throw error
    }
  }

  drop(): void {
    this.#token = undefined
  }
}

/** Credits that are left, as the last answer said. */
export const balance = signal<number | undefined>(undefined)

/** Returns a fetch that asks for a new token after a refusal, and notes the balance. */
function watchedFetch(token: SessionToken): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.status === 401) {
      token.drop()
      void loadSession()
    }
    const left = response.headers.get('x-credits-remaining')
    if (left !== null) balance.value = Number(left)
    return response
  }
}

const callerToken = new SessionToken('/token')
const operatorToken = new SessionToken('/operator-token')

/** The API of callers, used with the account of the person who is signed in. */
export const mintick = new Mintick({
  url: location.origin,
  apiKey: callerToken.get,
  fetch: watchedFetch(callerToken),
})

/** The API of operators, used with the scope of the person who is signed in. */
export const admin = new MintickAdmin({
  url: location.origin,
  token: operatorToken.get,
  fetch: watchedFetch(operatorToken),
})
