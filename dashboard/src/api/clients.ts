import { signal } from '@preact/signals'
import { Mintick } from 'mintick-client'
import { MintickAdmin } from 'mintick-client/admin'
import { callSignIn, loadSession } from './session.ts'

/** Tokens work for 15 minutes. Their age counts by the clock of this browser, which may differ from that of the service. */
const RENEW_AFTER_MS = 10 * 60_000

/** A token of the session for one API, renewed before it expires. */
class SessionToken {
  readonly #path: string
  #token: Promise<string> | undefined
  #renewAt = 0

  constructor(path: string) {
    this.#path = path
  }

  readonly get = async (): Promise<string> => {
    if (Date.now() >= this.#renewAt) this.drop()
    this.#token ??= this.#create()
    return this.#token
  }

  #create(): Promise<string> {
    this.#renewAt = Date.now() + RENEW_AFTER_MS
    const created = callSignIn<{ token: string }>('POST', this.#path).then(({ token }) => token)
    created.catch(() => this.drop())
    return created
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
