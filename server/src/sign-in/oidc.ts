import type { Configuration } from 'openid-client'
import type { OidcOperators } from '../admission/sessions.ts'
import { lazily } from '../lazily.ts'
import { ApiError } from '../model/errors.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  operators: OidcOperators
}

/** The parameters with which the provider sends the browser back. */
export interface OidcReply {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

interface OidcUser {
  /** Issuer and subject, which never change; an address may. */
  subject: string
  email: string
}

/** Signs operators in through a provider of OpenID Connect: the code flow with PKCE, state and nonce. */
export class Oidc {
  readonly #settings: OidcSettings
  readonly #callbackUrl: () => string
  /** Loaded and asked for its addresses at the first sign-in. */
  readonly #provider: () => Promise<Provider>

  constructor(settings: OidcSettings, callbackUrl: () => string) {
    this.#settings = settings
    this.#callbackUrl = callbackUrl
    this.#provider = lazily(() => openProvider(settings))
  }

  get name(): string {
    return new URL(this.#settings.issuer).host
  }

  /** Returns the page of the provider, and the secret that the browser keeps until it comes back. */
  async begin(): Promise<{ location: string; secret: string }> {
    const { client, config } = await this.#open()
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const location = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#callbackUrl(),
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { location: location.href, secret: [state, nonce, verifier].join('.') }
  }

  /** Returns the operator whom the provider has recognised. Throws 401, or 403 if they are no operator. */
  async finish(reply: OidcReply, secret: string | undefined): Promise<OidcUser> {
    const [state, nonce, verifier] = secret?.split('.') ?? []
    if (state === undefined || nonce === undefined || verifier === undefined) throw notRecognised()
    const { client, config } = await this.#open()
    const url = new URL(this.#callbackUrl())
    for (const [name, value] of Object.entries(reply)) if (value !== undefined) url.searchParams.set(name, value)
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, url, checks).catch((error: unknown) => {
      throw notRecognised(error)
    })
    const claims = tokens.claims()
    if (claims === undefined) throw notRecognised()
    const email = typeof claims.email === 'string' ? claims.email.toLowerCase() : undefined
    if (email === undefined || claims.email_verified !== true || !this.#settings.operators.has(email)) {
      throw new ApiError('FORBIDDEN', 'Your address is not confirmed by the provider, or not one of OIDC_OPERATORS')
    }
    return { subject: `${claims.iss} ${claims.sub}`, email }
  }

  #open(): Promise<Provider> {
    return this.#provider().catch((error: unknown) => {
      const message = 'The provider of OIDC_ISSUER does not answer as expected; try again soon'
      throw new ApiError('INTERNAL_ERROR', message, { statusCode: 503, cause: error })
    })
  }
}

interface Provider {
  client: typeof import('openid-client')
  config: Configuration
}

async function openProvider({ issuer, clientId, clientSecret }: OidcSettings): Promise<Provider> {
  const client = await import('openid-client')
  // The settings allow HTTP only for a provider on this machine.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  // Also checks the signature of the identity, besides the connection to the provider.
  const execute = [...insecure, client.enableNonRepudiationChecks]
  return { client, config: await client.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute }) }
}

const notRecognised = (cause?: unknown) =>
  new ApiError('UNAUTHORIZED', 'The provider did not sign you in, or it took too long; try again', { cause })
