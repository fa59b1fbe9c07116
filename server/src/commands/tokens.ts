import { parseArgs } from 'node:util'
import { type Config, OperatorError } from '../config.ts'
import { adminClient } from './admin-client.ts'
import { required } from './required.ts'
import { table } from './table.ts'

interface TokenLine {
  name: string
  scope: string
  prefix: string
  createdBy: string
  createdAt: string
  revokedAt: string | null
}

/** `mintick tokens …`: a client of the operator API. Returns the text to print. */
export async function tokensCommand(args: string[], config: Config): Promise<string> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { scope: { type: 'string' } } })
  const [action, name, extra] = positionals
  if (extra !== undefined) throw new OperatorError(`unexpected argument "${extra}"; see "mintick help"`)
  const api = adminClient(config)

  switch (action) {
    case 'list':
      return tokensTable(await api('GET', '/admin/tokens'))
    case 'create': {
      const { scope } = values
      if (scope === undefined) throw new OperatorError('this command needs --scope read, support or owner')
      const created = await api<{ token: string }>('POST', '/admin/tokens', {
        name: required(name, 'the name of a token'),
        scope,
      })
      return `Admin token, shown only once:  ${created.token}\n`
    }
    case 'revoke': {
      const revoked = await api<TokenLine>(
        'DELETE',
        `/admin/tokens/${encodeURIComponent(required(name, 'the name of a token'))}`,
      )
      return `Revoked the token ${revoked.name}.\n`
    }
    default:
      throw new OperatorError('tokens needs one of list, create, revoke; see "mintick help"')
  }
}

function tokensTable(tokens: readonly TokenLine[]): string {
  const rows = tokens.map((token) => [
    token.name,
    token.scope,
    `${token.prefix}…`,
    token.createdBy,
    token.createdAt,
    token.revokedAt === null ? 'active' : `revoked ${token.revokedAt}`,
  ])
  return table(['NAME', 'SCOPE', 'TOKEN', 'CREATED BY', 'CREATED AT', 'STATE'], rows)
}
