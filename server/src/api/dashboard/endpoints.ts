import Type from 'typebox'
import { networkOf } from '../../http/client-address.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { HTML_ANSWER } from '../../http/html-page.ts'
import * as param from '../../http/params.ts'
import type { Visit } from '../../http/visit.ts'
import { ApiError } from '../../model/errors.ts'
import { OPERATOR_SCOPES } from '../../model/operators.ts'
import { flag, id, nullable, secret, text, texts, time } from '../../model/schema.ts'
import { DAY, isoTime, MINUTE, SECOND } from '../../model/time.ts'
import { type Browser, type BrowserSecrets, SESSION_MS } from '../../sign-in/sign-in.ts'
import { idPath } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'

const SESSION_COOKIE = { maxAgeSeconds: SESSION_MS / SECOND }
const DEVICE_COOKIE = { maxAgeSeconds: (365 * DAY) / SECOND }

/** Lax, because the provider's site sends the browser back. */
const OIDC_COOKIE = { maxAgeSeconds: (10 * MINUTE) / SECOND, sameSite: 'lax' } as const
export const OIDC_CALLBACK_PATH = '/dashboard/auth/oidc/callback'

const visitor = { access: 'visitor', cost: { credits: 0 }, returns: 'object' } as const
const session = { access: 'session', cost: { credits: 0 }, returns: 'object' } as const

/** Without characters that would make it several addresses. */
const email = () =>
  Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: '^[^\\s@,;:<>()\\[\\]"\\\\]+@[^\\s@,;:<>()\\[\\]"\\\\]+$',
    description: 'Email address; case-insensitive',
  })
const newPassword = () =>
  Type.String({ minLength: 10, maxLength: 200, description: 'The new password, at least 10 characters' })
const password = () => Type.String({ maxLength: 200, description: 'The password' })
const code = () =>
  Type.String({ minLength: 6, maxLength: 40, description: 'A code of the second factor, or a recovery code' })
const linkToken = () => Type.String({ maxLength: 100, description: 'The part of the link after #' })
const nothing = () => Type.Object({}, { description: 'Nothing' })
const status = <const Values extends string[]>(...values: Values) =>
  Type.Object({ status: Type.Enum(values, { description: 'What comes next' }) }, { description: 'The outcome' })

const UserView = Type.Object(
  {
    id: id('Id of the user'),
    email: nullable(text('Email address; null for an owner who has not set one')),
    isConfirmed: flag('Whether the address is confirmed'),
    hasPassword: flag('Whether a password is set'),
    hasSecondFactor: flag('Whether signing in needs a code'),
    isManaged: flag('Whether a provider of OpenID Connect manages the address and the ways to sign in'),
    accountId: nullable(id('Id of the account; null for operators without one')),
    operatorScope: nullable(Type.Enum(OPERATOR_SCOPES, { description: 'Scope of an operator' })),
  },
  { description: 'The user' },
)

const TokenView = Type.Object(
  {
    token: secret('The token, to send like an API key'),
    expiresAt: time('When it stops working'),
  },
  { description: 'A token of the session' },
)

/** The dashboard's own requests: signing in, sessions, and the tokens with which its pages call the API. */
export const dashboardEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...visitor,
    method: 'GET',
    path: '/dashboard/auth/session',
    summary: 'Get the user of this browser and the ways to sign in',
    data: Type.Object(
      {
        user: nullable(UserView, 'The user; null if nobody is signed in'),
        features: Type.Object(
          {
            signUp: flag('Whether people may create accounts'),
            mail: flag('Whether mails are sent'),
            oidc: nullable(
              Type.Object({ name: text('Name of the provider') }),
              'The provider of OpenID Connect; null if there is none',
            ),
          },
          { description: 'The ways to sign in' },
        ),
      },
      { description: 'The session' },
    ),
    handle({ signedIn }, { signIn }) {
      const { allowsSignUp, sendsMail, oidcName } = signIn
      const oidc = oidcName === undefined ? null : { name: oidcName }
      const features = { signUp: allowsSignUp, mail: sendsMail, oidc }
      if (signedIn === undefined) return { user: null, features }
      const { user } = signedIn
      return {
        user: {
          id: user.id,
          email: user.email,
          isConfirmed: user.isConfirmed,
          hasPassword: user.passwordHash !== null,
          hasSecondFactor: user.hasSecondFactor,
          isManaged: user.oidcSubject !== null,
          accountId: user.accountId,
          operatorScope: signIn.scopeOf(user),
        },
        features,
      }
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/sign-up',
    summary: 'Create an account on the Free plan',
    body: Type.Object(
      { email: email(), password: Type.Optional(newPassword()) },
      { description: 'The new user; the password only if no mails are sent, else it is chosen with the link' },
    ),
    data: status('signed-in', 'check-mail'),
    async handle({ body, visit }, { signIn }) {
      const outcome = await signIn.signUp({ ...body, email: body.email.toLowerCase() }, browserOf(visit))
      if (outcome.status === 'signed-in') remember(visit, outcome.secrets)
      return { status: outcome.status }
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/sign-in',
    summary: 'Sign in with a password',
    body: Type.Object(
      { email: email(), password: password(), code: Type.Optional(code()) },
      { description: 'The credentials' },
    ),
    data: status('signed-in', 'code-needed'),
    async handle({ body, visit }, { signIn }) {
      const outcome = await signIn.signIn({ ...body, email: body.email.toLowerCase() }, browserOf(visit))
      if (outcome.status === 'signed-in') remember(visit, outcome.secrets)
      return { status: outcome.status }
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/sign-out',
    summary: 'End the session of this browser',
    body: nothing(),
    data: nothing(),
    async handle({ visit, signedIn }, { signIn }) {
      if (signedIn !== undefined) await signIn.endSession(signedIn, signedIn.session.id)
      visit.removeCookie('session')
      return {}
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/link',
    summary: 'Redeem a one-time link',
    body: Type.Object(
      { token: linkToken(), code: Type.Optional(code()), password: Type.Optional(newPassword()) },
      { description: 'The link, with a code of the second factor or the password of a new user' },
    ),
    data: Type.Object(
      {
        ...status('signed-in', 'code-needed', 'password-needed').properties,
        email: nullable(text('The address that the link signs in with, signs up or confirms; null if there is none')),
      },
      { description: 'The outcome' },
    ),
    async handle({ body, visit, signedIn }, { signIn }) {
      const outcome = await signIn.redeem(body, browserOf(visit), signedIn)
      if (outcome.status === 'signed-in') remember(visit, outcome.secrets)
      return { status: outcome.status, email: outcome.email }
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/reset',
    summary: 'Ask for a link to set a new password',
    body: Type.Object({ email: email() }, { description: 'The user' }),
    data: nothing(),
    async handle({ body, visit }, { signIn }) {
      await signIn.requestReset(body.email.toLowerCase(), browserOf(visit))
      return {}
    },
  }),

  endpoint({
    ...visitor,
    method: 'POST',
    path: '/dashboard/auth/password',
    summary: 'Set a new password, by a mailed link or in a session',
    body: Type.Object(
      { token: Type.Optional(linkToken()), current: Type.Optional(password()), password: newPassword() },
      { description: 'The new password, with the token of the link or the current one' },
    ),
    data: nothing(),
    async handle({ body, visit, signedIn }, { signIn }) {
      if (body.token !== undefined) {
        remember(visit, await signIn.resetPassword(body.token, body.password, browserOf(visit)))
        return {}
      }
      if (signedIn === undefined) throw new ApiError('UNAUTHORIZED', 'You are not signed in, or your session has ended')
      await signIn.changePassword(signedIn, body.current, body.password)
      return {}
    },
  }),

  endpoint({
    ...session,
    method: 'PATCH',
    path: '/dashboard/auth/user',
    summary: 'Set or change the email address',
    body: Type.Object(
      { email: email(), current: Type.Optional(password()) },
      { description: 'The new address, and the password if there is one' },
    ),
    data: nothing(),
    async handle({ body, visit, signedIn }, { signIn }) {
      await signIn.changeEmail(signedIn, { ...body, email: body.email.toLowerCase() }, browserOf(visit))
      return {}
    },
  }),

  endpoint({
    ...session,
    method: 'GET',
    path: '/dashboard/auth/sessions',
    summary: 'List the sessions of the user, the last used first',
    returns: 'list',
    data: Type.Object(
      {
        id: id('Id of the session'),
        createdAt: time('When it began'),
        lastUsedAt: time('When it was last used, to the minute'),
        address: text('Address from which it began'),
        browser: text('Browser and system, such as Firefox on Linux'),
        isCurrent: flag('Whether it is the session of this browser'),
      },
      { description: 'A session' },
    ),
    async handle({ signedIn }, { store, clock }) {
      const sessions = await store.sessions.list(signedIn.user.id, clock.now())
      return sessions.map(({ id, createdAt, lastUsedAt, address, browser }) => ({
        id,
        createdAt: isoTime(createdAt),
        lastUsedAt: isoTime(lastUsedAt),
        address,
        browser,
        isCurrent: id === signedIn.session.id,
      }))
    },
  }),

  endpoint({
    ...session,
    method: 'DELETE',
    path: '/dashboard/auth/sessions/:id',
    summary: 'End a session at once',
    params: idPath('Id of the session'),
    data: nothing(),
    async handle({ params, signedIn }, { signIn }) {
      if (!(await signIn.endSession(signedIn, params.id))) throw new ApiError('NOT_FOUND', 'No session has this id')
      return {}
    },
  }),

  endpoint({
    ...session,
    method: 'DELETE',
    path: '/dashboard/auth/sessions',
    summary: 'End all other sessions at once',
    data: nothing(),
    async handle({ signedIn }, { signIn }) {
      await signIn.endOtherSessions(signedIn)
      return {}
    },
  }),

  endpoint({
    ...session,
    method: 'POST',
    path: '/dashboard/auth/second-factor',
    summary: 'Create the secret of a second factor',
    body: Type.Object({ current: Type.Optional(password()) }, { description: 'The password if there is one' }),
    data: Type.Object(
      { secret: secret('The secret for an authenticator app'), uri: secret('The same for a QR code') },
      { description: 'The secret, which counts once a code confirms it' },
    ),
    handle: ({ body, signedIn }, { signIn }) => signIn.offerSecondFactor(signedIn, body.current),
  }),

  endpoint({
    ...session,
    method: 'POST',
    path: '/dashboard/auth/second-factor/confirm',
    summary: 'Turn the second factor on and end all other sessions',
    body: Type.Object({ code: code() }, { description: 'A code of the app' }),
    data: Type.Object(
      { recoveryCodes: texts('Codes for one sign-in each without the app, shown only once') },
      { description: 'The recovery codes' },
    ),
    handle: async ({ body, signedIn }, { signIn }) => ({
      recoveryCodes: await signIn.confirmSecondFactor(signedIn, body.code),
    }),
  }),

  endpoint({
    ...session,
    method: 'POST',
    path: '/dashboard/auth/second-factor/remove',
    summary: 'Turn the second factor off',
    body: Type.Object(
      { password: Type.Optional(password()), code: code() },
      { description: 'A code, and the password if there is one' },
    ),
    data: nothing(),
    async handle({ body, signedIn }, { signIn }) {
      await signIn.removeSecondFactor(signedIn, body.password, body.code)
      return {}
    },
  }),

  endpoint({
    ...session,
    method: 'POST',
    path: '/dashboard/auth/token',
    summary: 'Create a short-lived token for the API',
    body: nothing(),
    data: TokenView,
    async handle({ signedIn }, { signIn }) {
      const { token, expiresAt } = await signIn.mintToken(signedIn, 'account')
      return { token, expiresAt: isoTime(expiresAt) }
    },
  }),

  endpoint({
    ...session,
    method: 'POST',
    path: '/dashboard/auth/operator-token',
    summary: 'Create a short-lived token for the operator API',
    body: nothing(),
    data: Type.Object(
      { ...TokenView.properties, scope: Type.Enum(OPERATOR_SCOPES, { description: 'Scope of the token' }) },
      { description: 'A token of the session' },
    ),
    async handle({ signedIn }, { signIn }) {
      const scope = signIn.scopeOf(signedIn.user)
      if (scope === null) throw new ApiError('FORBIDDEN', 'You are not an operator of this service')
      const { token, expiresAt } = await signIn.mintToken(signedIn, 'operator')
      return { token, scope, expiresAt: isoTime(expiresAt) }
    },
  }),

  endpoint({
    ...visitor,
    method: 'GET',
    path: '/dashboard/auth/oidc',
    summary: 'Go to the provider of OpenID Connect to sign in',
    returns: 'html',
    data: HTML_ANSWER,
    async handle({ visit }, { signIn }) {
      const { location, secret } = await signIn.oidc.begin()
      visit.setCookie('oidc', secret, OIDC_COOKIE)
      return { location }
    },
  }),

  endpoint({
    ...visitor,
    method: 'GET',
    path: OIDC_CALLBACK_PATH,
    summary: 'Come back from the provider of OpenID Connect',
    query: Type.Object({
      code: param.text('Code to exchange for the identity of the user'),
      state: param.text('The state that was sent'),
      iss: param.text('The issuer'),
      error: param.text('Why the provider did not sign the user in'),
    }),
    returns: 'html',
    data: HTML_ANSWER,
    async handle({ query, visit }, { signIn }) {
      const secret = visit.cookie('oidc')
      visit.removeCookie('oidc')
      remember(visit, await signIn.signInByOidc(query, secret, browserOf(visit)))
      return { location: signIn.homeUrl }
    },
  }),
]

function browserOf(visit: Visit): Browser {
  return {
    address: visit.address,
    network: networkOf(visit.address),
    name: visit.browser,
    session: visit.cookie('session'),
    device: visit.cookie('device'),
  }
}

function remember(visit: Visit, { session, device }: BrowserSecrets): void {
  if (session !== undefined) visit.setCookie('session', session, SESSION_COOKIE)
  if (device !== undefined) visit.setCookie('device', device, DEVICE_COOKIE)
}
