import Type from 'typebox'
import { secret, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { operator } from './operator.ts'

export const signInEndpoint = endpoint({
  ...operator('owner'),
  method: 'POST',
  path: '/admin/sign-in-links',
  summary: 'Create a link that signs the owner, or a user, in to the dashboard',
  description: 'The link works once and for an hour. A user with a second factor needs a code, too.',
  body: Type.Object(
    {
      email: Type.Optional(
        Type.String({ maxLength: 254, description: 'Email address of the user; by default the link is for the owner' }),
      ),
    },
    { description: 'The user' },
  ),
  returns: 'object',
  errors: { 404: 'No user has this address' },
  data: Type.Object(
    { url: secret('The link, shown only once'), expiresAt: time('When it stops working') },
    { description: 'The link' },
  ),
  async handle({ body }, { signIn }) {
    const { url, expiresAt } = orNotFound(await signIn.createLink(body.email?.toLowerCase()), 'user', 'address')
    return { url, expiresAt: isoTime(expiresAt) }
  },
})
