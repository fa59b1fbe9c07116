import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Config, OperatorError } from '../config.ts'
import { adminClient } from './admin-client.ts'
import { exportText } from './export-text.ts'
import { required } from './required.ts'
import { table } from './table.ts'

interface AccountLine {
  id: string
  email: string | null
  plan: string
  balance: number
  isActive: boolean
  deletedAt: string | null
}

interface KeyLine {
  id: string
  name: string
  keyPrefix: string
  isActive: boolean
  expiresAt: string | null
  lastUsedAt: string | null
}

/** `mintick accounts …`: a client of the operator API. Returns the text to print. */
export async function accountsCommand(args: string[], config: Config): Promise<string> {
  const { values, positionals } = parseArgs({
    // The space keeps parseArgs from reading a negative number as an option.
    args: args.map((arg) => (/^-\d+$/.test(arg) ? ` ${arg}` : arg)),
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      credits: { type: 'string' },
      reason: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  })
  const [action, subject, value, extra] = positionals
  if (extra !== undefined) throw new OperatorError(`unexpected argument "${extra}"; see "mintick help"`)
  const api = adminClient(config)
  const id = () => encodeURIComponent(required(subject, 'an account id'))

  switch (action) {
    case 'list':
      return accountsTable(await listAll(api))
    case 'find':
      return accountsTable(
        await listAll(
          api,
          `&emailPrefix=${encodeURIComponent(required(subject, 'the beginning of an email address'))}`,
        ),
      )
    case 'create':
      return createdText(
        await api('POST', '/admin/accounts', {
          email: required(subject, 'an email address'),
          ...(values.name !== undefined && { name: values.name }),
          ...(values.plan !== undefined && { plan: values.plan }),
          ...(values.credits !== undefined && { credits: wholeNumber(values.credits) }),
        }),
      )
    case 'show':
      return pretty(await api('GET', `/admin/accounts/${id()}`))
    case 'plan':
      return pretty(await api('PATCH', `/admin/accounts/${id()}`, { plan: required(value, 'a plan') }))
    case 'credits':
      return pretty(
        await api('POST', `/admin/accounts/${id()}/credits`, {
          credits: wholeNumber(required(value, 'a number of credits')),
          reason: values.reason ?? 'adjusted by the operator',
        }),
      )
    case 'key':
      return keyText(await api('POST', `/admin/accounts/${id()}/api-keys`, { name: value ?? 'Made by the operator' }))
    case 'keys':
      return keysTable(await api('GET', `/admin/accounts/${id()}/api-keys`))
    case 'revoke': {
      const keyId = encodeURIComponent(required(value, 'the id of a key'))
      const { name, keyPrefix } = await api<KeyLine>('DELETE', `/admin/accounts/${id()}/api-keys/${keyId}`)
      return `Revoked the key ${keyPrefix}… (${name}).\n`
    }
    case 'suspend':
      return pretty(
        await api('PATCH', `/admin/accounts/${id()}`, {
          isActive: false,
          ...(values.reason !== undefined && { reason: values.reason }),
        }),
      )
    case 'enable':
      return pretty(await api('PATCH', `/admin/accounts/${id()}`, { isActive: true }))
    case 'export': {
      const file = value ?? `account-${required(subject, 'an account id')}.json`
      const text = exportText(api, `/admin/accounts/${id()}/export`)
      await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new OperatorError(`${file} exists; name another file`) : error
      })
      return `Everything that is stored about the account is in ${file}\n`
    }
    case 'delete': {
      const path = `/admin/accounts/${id()}`
      if (!values.yes) {
        throw new OperatorError('this cannot be undone: export the account first, then delete it with --yes')
      }
      const { deletedAt } = await api<{ deletedAt: string }>('DELETE', path)
      return `Deleted at ${deletedAt}. Its ledger stays, without email, name and paths of requests.\n`
    }
    case 'audit': {
      const report = await api<{ isBalanced: boolean; problems: string[] }>('GET', '/admin/audit')
      if (!report.isBalanced) throw new OperatorError(`the ledger does not add up:\n${report.problems.join('\n')}`)
      return pretty(report)
    }
    default:
      throw new OperatorError(
        'accounts needs one of list, find, create, show, plan, credits, key, keys, revoke, suspend, enable, export, delete, audit; see "mintick help"',
      )
  }
}

async function listAll(api: ReturnType<typeof adminClient>, filter = ''): Promise<AccountLine[]> {
  const all: AccountLine[] = []
  for (;;) {
    const page = await api<AccountLine[]>('GET', `/admin/accounts?limit=100&offset=${all.length}${filter}`)
    all.push(...page)
    if (page.length < 100) return all
  }
}

function createdText({ account, apiKey }: { account: AccountLine; apiKey: string }): string {
  return `${pretty(account)}\n${keyText({ apiKey })}`
}

const keyText = ({ apiKey }: { apiKey: string }) => `API key, shown only once:  ${apiKey}\n`

function accountsTable(accounts: AccountLine[]): string {
  const rows = accounts.map(({ id, email, plan, balance, isActive, deletedAt }) => [
    id,
    email ?? '–',
    plan,
    String(balance),
    deletedAt !== null ? 'deleted' : isActive ? 'active' : 'suspended',
  ])
  return table(['ID', 'EMAIL', 'PLAN', 'BALANCE', 'STATE'], rows)
}

function keysTable(keys: readonly KeyLine[]): string {
  const rows = keys.map((key) => [
    key.id,
    `${key.keyPrefix}…`,
    key.name,
    key.isActive ? 'active' : 'inactive',
    key.lastUsedAt ?? 'never',
    key.expiresAt ?? 'never',
  ])
  return table(['ID', 'KEY', 'NAME', 'STATE', 'LAST USED', 'EXPIRES'], rows)
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text.trim())) throw new OperatorError(`"${text}" is not a whole number`)
  return Number(text)
}
