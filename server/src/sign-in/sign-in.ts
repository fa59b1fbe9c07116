import { randomBytes, randomUUID } from 'node:crypto'
import { AttemptLimit } from '../admission/attempt-limit.ts'
import { hashSecret, mintSessionToken } from '../admission/key.ts'
import { newAccount, planGrants } from '../admission/open-account.ts'
import type { Sessions } from '../admission/sessions.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import type { OperatorScope } from '../model/operators.ts'
import { DAY, HOUR, MINUTE } from '../model/time.ts'
import type { SignedIn, User } from '../model/users.ts'
import type { Store } from '../store/store.ts'
import type { NewSession, Started } from '../store/users/sessions.ts'
import type { NewLink, Opening, Proof } from '../store/users/users.ts'
import { createDevice, deviceOf } from './device.ts'
import {
  type Mails,
  mailAboutAccount,
  mailAboutNewAddress,
  mailToConfirm,
  mailToReset,
  type SignInMail,
} from './mails.ts'
import type { Oidc, OidcReply } from './oidc.ts'
import { type Origin, Passwords } from './passwords.ts'
import { SecondFactor } from './second-factor.ts'
import { type Attempt, type Subject, Throttle } from './throttle.ts'

/** The browser of an attempt: the network that it counts for, and the secrets of its cookies. */
export interface Browser {
  address: string
  network: string
  name: string
  session: string | undefined
  device: string | undefined
}

/** New secrets for the cookies of a browser. */
export interface BrowserSecrets {
  session?: string
  device?: string
}

export type Outcome = { status: 'signed-in'; secrets: BrowserSecrets } | { status: 'code-needed' }

/** With the address that the link is about; null for an owner who has not set one. */
export type LinkOutcome = { email: string | null } & (Outcome | { status: 'password-needed' })

interface Deps {
  store: Store
  clock: Clock
  pepper: string
  /** Makes a change of an account effective on every instance. */
  announce: (accountId: string) => Promise<void>
  sessions: Sessions
  mails: Mails
  /** Whether people may create accounts. */
  allowsSignUp: boolean
  /** Whether the operator API has another address, which the dashboard cannot call. */
  hasAdminPort: boolean
  /** Undefined if operators do not sign in through OpenID Connect. */
  oidc: Oidc | undefined
  /** Returns the URL of a page of the dashboard, such as `/link`. */
  urlOf(page: '' | `/${string}`): string
}

const SECRET_BYTES = 32
export const SESSION_MS = 30 * DAY
const TOKEN_MS = 15 * MINUTE
/** Tokens of a session: each page needs one. */
const TOKENS_PER_MINUTE = 60
const OWNER_LINK_MS = HOUR
const CONFIRMATION_MS = DAY
const RESET_MS = HOUR

/** Signs users up and in, and manages their passwords, second factors and sessions. */
export class SignIn {
  readonly #deps: Deps
  readonly #passwords: Passwords
  readonly #secondFactor: SecondFactor
  readonly #throttle: Throttle
  readonly #mints: AttemptLimit

  constructor(deps: Deps) {
    this.#deps = deps
    this.#passwords = new Passwords(deps.pepper)
    this.#secondFactor = new SecondFactor(deps.pepper)
    this.#throttle = new Throttle(deps.store.signInFailures, deps.clock)
    this.#mints = new AttemptLimit(deps.clock, TOKENS_PER_MINUTE)
  }

  get allowsSignUp(): boolean {
    return this.#deps.allowsSignUp
  }

  get sendsMail(): boolean {
    return this.#deps.mails.areSent
  }

  /** Returns the scope in which the user operates the service in the dashboard. */
  scopeOf(user: User): OperatorScope | null {
    return this.#deps.hasAdminPort ? null : this.#deps.sessions.scopeOf(user)
  }

  /** Throws 404 if operators do not sign in through OpenID Connect. */
  get oidc(): Oidc {
    const { oidc } = this.#deps
    if (oidc === undefined) throw new ApiError('NOT_FOUND', 'OIDC_ISSUER is not set')
    return oidc
  }

  get oidcName(): string | undefined {
    return this.#deps.oidc?.name
  }

  get homeUrl(): string {
    return this.#deps.urlOf('')
  }

  /** Starts the session of an operator whom the provider has sent back. */
  async signInByOidc(reply: OidcReply, secret: string | undefined, browser: Browser): Promise<BrowserSecrets> {
    const { oidc } = this
    const attempt = await this.#throttle.begin(requestFrom(browser))
    const found = await oidc.finish(reply, secret)
    const started = await this.#start(browser, (session) => this.#deps.store.users.signInByOidc(found, session))
    await attempt.undo()
    return started === undefined ? {} : { session: started.secret }
  }

  /**
   * Signs up. If mails are sent, the link in one creates the user, so that the answer tells nobody whether an address
   * has an account. The password is chosen with the link: nobody else may know the one of a confirmed address.
   */
  async signUp(
    { email, password }: { email: string; password?: string | undefined },
    browser: Browser,
  ): Promise<{ status: 'signed-in'; secrets: BrowserSecrets } | { status: 'check-mail' }> {
    if (!this.allowsSignUp) throw new ApiError('FORBIDDEN', 'This service does not let people sign up')
    const { store, mails, urlOf } = this.#deps
    if (mails.areSent) {
      await this.#throttle.begin(requestFrom(browser))
      this.#mailLater('sign-up', email, async () => {
        if ((await store.users.findByEmail(email)) !== undefined) return async () => mailAboutAccount(email, urlOf(''))
        return async () => {
          const token = await this.#addLink({ kind: 'sign-up', email }, CONFIRMATION_MS)
          return mailToConfirm(email, urlOf(`/link#${token}`))
        }
      })
      return { status: 'check-mail' }
    }
    if (password === undefined) throw ApiError.invalid([{ field: 'password', message: 'is required' }])
    const passwordHash = await this.#passwords.attempt('unknown', async () => {
      await this.#throttle.begin(requestFrom(browser))
      return this.#passwords.hash(password, 'unknown')
    })
    const attempt = await this.#throttle.begin(`account:${browser.network}`)
    const started = await this.#start(browser, (session) =>
      store.users.signUp({ email, passwordHash }, this.#openingFor(email), session),
    )
    if (started === undefined) {
      await attempt.undo()
      throw ApiError.invalid([{ field: 'email', message: 'cannot be used; sign in if you have an account' }])
    }
    return { status: 'signed-in', secrets: this.#secretsFor(started.user, started.secret) }
  }

  /** Throws 401 with the same message and after the same time, whatever is wrong. */
  async signIn(
    { email, password, code }: { email: string; password: string; code?: string | undefined },
    browser: Browser,
  ): Promise<Outcome> {
    const { store, pepper } = this.#deps
    const user = await store.users.findByEmail(email)
    const device = deviceOf(browser.device, user?.id, pepper)
    const subjects: Subject[] =
      device === undefined ? [`user:${hashSecret(email, pepper)}`, `network:${browser.network}`] : [`device:${device}`]
    const origin = device === undefined || user === undefined ? 'unknown' : { userId: user.id }
    const { attempt, isRight } = await this.#passwords.attempt(origin, async () => ({
      attempt: await this.#throttle.begin(...subjects),
      isRight: await this.#passwords.verify(password, user?.passwordHash, origin),
    }))
    if (user === undefined || !isRight) throw wrongCredentials()
    return this.#finish(user, code, attempt, (proof) =>
      this.#start(browser, (session) => store.users.signIn(user, proof, session)),
    )
  }

  /**
   * Redeems a one-time link. A user with a second factor needs a code, too, and a new one a password; the link stays
   * valid without it. A link to another address works only in a session of its user: a mistyped address must not let its
   * holder in.
   */
  async redeem(
    { token, code, password }: { token: string; code?: string | undefined; password?: string | undefined },
    browser: Browser,
    signedIn: SignedIn | undefined,
  ): Promise<LinkOutcome> {
    const { store, pepper, clock } = this.#deps
    const hash = hashSecret(token, pepper)
    const link = await store.users.findLink(hash, clock.now())
    if (link === undefined || link.kind === 'reset') throw brokenLink()
    const { kind, user, email } = link
    if (kind === 'email') {
      if (user?.id !== signedIn?.user.id) {
        throw new ApiError('UNAUTHORIZED', 'Sign in here first, then open the link again')
      }
      if (!(await store.users.confirmEmail(hash, clock.now()))) throw brokenLink()
      return { status: 'signed-in', secrets: {}, email }
    }
    if (kind === 'sign-up' && password === undefined) return { status: 'password-needed', email }
    const attempt = await this.#throttle.begin(`user:${user?.id ?? hash}`)
    const passwordHash =
      kind === 'sign-up' && password !== undefined ? await this.#hash(password, 'unknown') : undefined
    const openingFor = (address: string) => this.#openingFor(address)
    const outcome = await this.#finish(user, code, attempt, async (proof) => {
      const started = await this.#start(browser, (session) =>
        store.users.redeem(hash, { proof, passwordHash }, session, openingFor),
      )
      if (started === undefined && proof === undefined) throw brokenLink()
      return started
    })
    return { ...outcome, email }
  }

  /** Mails a link to set a password. Its answer and its time are the same for every address. */
  async requestReset(email: string, browser: Browser): Promise<void> {
    await this.#throttle.begin(requestFrom(browser))
    this.#mailLater('reset', email, async () => {
      const user = await this.#deps.store.users.findByEmail(email)
      if (user === undefined || this.#mayBeMistyped(user)) return undefined
      return async () => {
        const token = await this.#addLink({ kind: 'reset', userId: user.id }, RESET_MS)
        return mailToReset(email, this.#deps.urlOf(`/reset#${token}`))
      }
    })
  }

  /** An operator may have mistyped the address: whoever gets that mail would operate the service. */
  #mayBeMistyped({ isConfirmed, operatorScope }: User): boolean {
    return this.sendsMail && !isConfirmed && operatorScope !== null
  }

  /**
   * Sets a password by a mailed link and ends all sessions. The browser may then sign in whatever others attempt, unless
   * a second factor is still to be guessed.
   */
  async resetPassword(token: string, password: string, browser: Browser): Promise<BrowserSecrets> {
    const { store, pepper, clock, mails } = this.#deps
    const hash = hashSecret(token, pepper)
    const link = await store.users.findLink(hash, clock.now())
    if (link?.kind !== 'reset' || link.user === undefined) throw brokenLink()
    const attempt = await this.#throttle.begin(requestFrom(browser))
    const passwordHash = await this.#hash(password, { userId: link.user.id })
    const user = await store.users.resetPassword(hash, passwordHash, mails.areSent, clock.now())
    if (user === undefined) throw brokenLink()
    await attempt.undo()
    await this.#announce(user)
    return user.hasSecondFactor ? {} : { device: createDevice(user.id, pepper) }
  }

  /** Sets the password of a signed-in user and ends the other sessions. */
  async changePassword({ user, session }: SignedIn, current: string | undefined, password: string): Promise<void> {
    if (user.oidcSubject !== null) throw new ApiError('FORBIDDEN', 'You sign in through your organisation')
    await this.#checkCurrent(user, current)
    const passwordHash = await this.#hash(password, { userId: user.id })
    if (!(await this.#deps.store.users.setPassword(user, passwordHash, session.id))) throw changedMeanwhile()
    await this.#announce(user)
  }

  /** Sets the address of a user without one, and mails a link to a new address that confirms it. */
  async changeEmail(
    { user }: SignedIn,
    { email, current }: { email: string; current?: string | undefined },
    browser: Browser,
  ): Promise<void> {
    const { store, urlOf, mails } = this.#deps
    if (user.oidcSubject !== null) throw new ApiError('FORBIDDEN', 'Your organisation manages your address')
    if (user.email === email && user.isConfirmed) return
    await this.#checkCurrent(user, current)
    if (user.email === null && !(await store.users.setFirstEmail(user.id, email))) {
      throw ApiError.invalid([{ field: 'email', message: 'cannot be used' }])
    }
    const { email: old } = user
    await this.#throttle.begin(requestFrom(browser))
    this.#mailLater('email', email, async () => {
      const holder = await store.users.findByEmail(email)
      if (holder !== undefined && holder.id !== user.id) return async () => mailAboutAccount(email, urlOf(''))
      return async () => {
        const token = await this.#addLink({ kind: 'email', userId: user.id, email }, CONFIRMATION_MS)
        return mailToConfirm(email, urlOf(`/link#${token}`))
      }
    })
    if (old !== null && old !== email) mails.sendLater(async () => mailAboutNewAddress(old))
  }

  async endSession({ user }: SignedIn, id: string): Promise<boolean> {
    const isEnded = await this.#deps.store.sessions.end(user.id, id)
    await this.#announce(user)
    return isEnded
  }

  async endOtherSessions({ user, session }: SignedIn): Promise<void> {
    await this.#deps.store.sessions.endOthers(user.id, session.id)
    await this.#announce(user)
  }

  /** Creates a secret for a second factor, which counts once a code confirms it. */
  async offerSecondFactor({ user }: SignedIn, current: string | undefined): Promise<{ secret: string; uri: string }> {
    if (user.oidcSubject !== null) throw new ApiError('FORBIDDEN', 'You sign in through your organisation')
    await this.#checkCurrent(user, current)
    const { kept, ...shown } = this.#secondFactor.create(user)
    if (!(await this.#deps.store.users.offerSecondFactor(user.id, kept))) {
      throw new ApiError('BAD_REQUEST', 'You have a second factor already; remove it first')
    }
    return shown
  }

  /** Turns the second factor on, ends the other sessions and returns recovery codes, which are shown once. */
  async confirmSecondFactor(signedIn: SignedIn, code: string): Promise<string[]> {
    const { store, clock } = this.#deps
    const { user } = signedIn
    const attempt = await this.#throttle.begin(`user:${user.id}`)
    const step = user.hasSecondFactor ? undefined : this.#secondFactor.stepOf(user, code, clock.now())
    if (step === undefined)
      throw ApiError.invalid([{ field: 'code', message: 'is wrong; check the clock of your device' }])
    const { codes, hashes } = this.#secondFactor.createRecoveryCodes(user)
    if (!(await store.users.confirmSecondFactor(signedIn, step, hashes, clock.now()))) throw changedMeanwhile()
    await attempt.succeed()
    await this.#announce(user)
    return codes
  }

  async removeSecondFactor({ user }: SignedIn, password: string | undefined, code: string): Promise<void> {
    const { store, clock } = this.#deps
    // One attempt for both: a right password must not reset the count of guessed codes.
    const attempt = await this.#throttle.begin(`user:${user.id}`)
    if (user.passwordHash !== null) await this.#checkPassword(user, password, 'password')
    const proof = this.#secondFactor.proofOf(user, code, clock.now())
    if (proof === undefined || !(await store.users.removeSecondFactor(user.id, proof))) {
      throw ApiError.invalid([{ field: 'code', message: 'is wrong or was used before' }])
    }
    await attempt.succeed()
  }

  /** Creates a token with which the page of the session calls the API, or the operator API. */
  async mintToken(
    { session, user }: SignedIn,
    audience: 'account' | 'operator',
  ): Promise<{ token: string; expiresAt: number }> {
    const { store, clock, pepper } = this.#deps
    const now = clock.now()
    this.#mints.count(session.id, 'Too many tokens for this session')
    if (audience === 'account') await this.#checkAccount(user)
    const { secret: token, hash } = mintSessionToken(pepper, audience)
    const expiresAt = Math.min(now + TOKEN_MS, session.expiresAt)
    const isAdded = await store.sessions.addToken({ hash, sessionId: session.id, audience, createdAt: now, expiresAt })
    if (!isAdded) throw new ApiError('UNAUTHORIZED', 'Your session has ended')
    return { token, expiresAt }
  }

  /** Creates a link that signs the owner in, or the user with this address. Returns undefined if there is none. */
  async createLink(email?: string): Promise<{ url: string; expiresAt: number } | undefined> {
    const { store, clock, urlOf } = this.#deps
    const user = email === undefined ? await store.users.findOwner() : await store.users.findByEmail(email)
    if (user === undefined) return undefined
    const expiresAt = clock.now() + OWNER_LINK_MS
    const token = await this.#addLink({ kind: 'sign-in', userId: user.id }, OWNER_LINK_MS)
    return { url: urlOf(`/link#${token}`), expiresAt }
  }

  /** Removes what has expired. */
  async removeExpired(): Promise<void> {
    const { store, clock } = this.#deps
    await store.sessions.removeExpired(clock.now())
    await store.signInFailures.removeOld(clock.now())
  }

  /** Asks for the second factor if there is one, and starts the session. */
  async #finish(
    user: User | undefined,
    code: string | undefined,
    attempt: Attempt,
    start: (proof: Proof | undefined) => Promise<{ user: User; secret: string } | undefined>,
  ): Promise<Outcome> {
    let proof: Proof | undefined
    if (user?.hasSecondFactor) {
      if (code === undefined) {
        await attempt.undo()
        return { status: 'code-needed' }
      }
      proof = this.#secondFactor.proofOf(user, code, this.#deps.clock.now())
      if (proof === undefined) throw wrongCredentials()
    }
    const started = await start(proof)
    if (started === undefined) throw wrongCredentials()
    await attempt.succeed()
    return { status: 'signed-in', secrets: this.#secretsFor(started.user, started.secret) }
  }

  /** Starts a session of the browser and announces the sessions that it ends. */
  async #start(
    browser: Browser,
    start: (session: NewSession) => Promise<Started | undefined>,
  ): Promise<{ user: User; secret: string } | undefined> {
    const { secret, session } = this.#newSession(browser)
    const started = await start(session)
    if (started === undefined) return undefined
    for (const accountId of started.endedAccountIds) await this.#announce({ accountId })
    return { user: started.user, secret }
  }

  /** Checks the password once there is one, so that a stolen session alone does not become the thief's for good. */
  async #checkCurrent(user: User, current: string | undefined): Promise<void> {
    if (user.passwordHash === null) return
    const attempt = await this.#throttle.begin(`user:${user.id}`)
    await this.#checkPassword(user, current, 'current')
    // Failures stay: a right password must not reset the count of guessed codes.
    await attempt.undo()
  }

  async #checkPassword(user: User, password: string | undefined, field: string): Promise<void> {
    const origin = { userId: user.id }
    const isRight = await this.#passwords.attempt(origin, () =>
      this.#passwords.verify(password ?? '', user.passwordHash, origin),
    )
    if (!isRight) throw ApiError.invalid([{ field, message: 'is wrong' }])
  }

  #hash(password: string, origin: Origin): Promise<string> {
    return this.#passwords.attempt(origin, () => this.#passwords.hash(password, origin))
  }

  async #checkAccount({ accountId }: User): Promise<void> {
    const account = accountId === null ? undefined : await this.#deps.store.accounts.find(accountId)
    if (account === undefined) throw new ApiError('FORBIDDEN', 'You have no account to call the API with')
    if (!account.isActive) throw new ApiError('FORBIDDEN', 'Your account is suspended; ask the operator')
  }

  /**
   * Sends a mail to an address in the background, unless it got several for the same purpose of late. Requests for which
   * `choose` returns no mail do not count, so that nobody mutes an address with them.
   */
  #mailLater(
    purpose: 'sign-up' | 'reset' | 'email',
    email: string,
    choose: () => Promise<(() => Promise<SignInMail>) | undefined>,
  ): void {
    this.#deps.mails.sendLater(async () => {
      const write = await choose()
      if (write === undefined) return undefined
      const attempt = await this.#throttle.tryToBegin(`mail:${purpose} ${hashSecret(email, this.#deps.pepper)}`)
      return 'waitMs' in attempt ? undefined : write()
    })
  }

  async #addLink(link: LinkPurpose, lastsMs: number): Promise<string> {
    const { store, clock, pepper } = this.#deps
    const token = randomBytes(SECRET_BYTES).toString('base64url')
    const now = clock.now()
    await store.users.addLink({ ...link, hash: hashSecret(token, pepper), createdAt: now, expiresAt: now + lastsMs })
    return token
  }

  #newSession(browser: Browser): { secret: string; session: NewSession } {
    const { clock, pepper } = this.#deps
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const now = clock.now()
    const session = {
      hash: hashSecret(secret, pepper),
      replaces: browser.session === undefined ? undefined : hashSecret(browser.session, pepper),
      address: browser.address,
      browser: browser.name,
      createdAt: now,
      expiresAt: now + SESSION_MS,
    }
    return { secret, session }
  }

  #openingFor(email: string): Opening {
    const account = { id: randomUUID(), email, name: null, planSlug: 'free', isDemo: false } as const
    return { account: newAccount(this.#deps.clock.now(), account), grants: planGrants(account.planSlug) }
  }

  #secretsFor({ id }: User, session: string): BrowserSecrets {
    return { session, device: createDevice(id, this.#deps.pepper) }
  }

  /** Tells all instances, so that tokens and streams of ended sessions end at once. */
  async #announce({ accountId }: Pick<User, 'accountId'>): Promise<void> {
    if (accountId !== null) await this.#deps.announce(accountId)
  }
}

type LinkPurpose = NewLink extends infer Link
  ? Link extends NewLink
    ? Omit<Link, 'hash' | 'createdAt' | 'expiresAt'>
    : never
  : never

const requestFrom = ({ network }: Browser): Subject => `request:${network}`

const wrongCredentials = () => new ApiError('UNAUTHORIZED', 'The address, the password or the code is wrong')
const brokenLink = () => new ApiError('BAD_REQUEST', 'This link has expired or was used before; ask for another one')
const changedMeanwhile = () => new ApiError('BAD_REQUEST', 'This was changed elsewhere in the meantime; try again')
