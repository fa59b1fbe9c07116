import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { adminClient } from './admin-client.ts'

/** `mintick sign-in-link`: a client of the operator API. Returns the text to print. */
export async function signInLinkCommand(args: string[], config: Config): Promise<string> {
  const { values } = parseArgs({ args, options: { email: { type: 'string' } } })
  const link = await adminClient(config)<{ url: string }>('POST', '/admin/sign-in-links', values)
  return `Sign in to the dashboard, once and within an hour:\n  ${link.url}\n`
}
