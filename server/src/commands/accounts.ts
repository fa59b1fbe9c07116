import { parseArgs } from 'node:util'
import { type Config, OperatorError } from '../config.ts'
import { adminClient } from './admin-client.ts'
import { table } from './table.ts'

interface AccountLine {
  id: string
  email: string | null
  plan: string
  balance: number
  isActive: boolean
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
      reason: { type: 'string', default: 'adjusted by the operator' },
    },
  })
  const [action, subject, value, extra] = positionals
  if (extra !== undefined) throw new OperatorError(`unexpected argument "${extra}"; see "mintick help"`)
  const api = adminClient(config)
  const id = () => encodeURIComponent(required(subject, 'an account id'))

  switch (action) {
    case 'list':
      return accountsTable(await listAll(api))
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
          reason: values.reason,
        }),
      )
    case 'key':
      return keyText(await api('POST', `/admin/accounts/${id()}/api-keys`, { name: value ?? 'Made by the operator' }))
    case 'enable':
    case 'disable':
      return pretty(await api('PATCH', `/admin/accounts/${id()}`, { isActive: action === 'enable' }))
    case 'audit': {
      const report = await api<{ isBalanced: boolean; problems: string[] }>('GET', '/admin/audit')
      if (!report.isBalanced) throw new OperatorError(`the ledger does not add up:\n${report.problems.join('\n')}`)
      return pretty(report)
    }
    default:
      throw new OperatorError(
        'accounts needs one of list, create, show, plan, credits, key, enable, disable, audit; see "mintick help"',
      )
  }
}

async function listAll(api: ReturnType<typeof adminClient>): Promise<AccountLine[]> {
  const all: AccountLine[] = []
  for (;;) {
    const page = await api<AccountLine[]>('GET', `/admin/accounts?limit=100&offset=${all.length}`)
    all.push(...page)
    if (page.length < 100) return all
  }
}

function createdText({ account, apiKey }: { account: AccountLine; apiKey: string }): string {
  return `${pretty(account)}\n${keyText({ apiKey })}`
}

const keyText = ({ apiKey }: { apiKey: string }) => `API key, shown only once:  ${apiKey}\n`

function accountsTable(accounts: AccountLine[]): string {
  const rows = accounts.map(({ id, email, plan, balance, isActive }) => [
    id,
    email ?? '–',
    plan,
    String(balance),
    isActive ? 'active' : 'disabled',
  ])
  return table(['ID', 'EMAIL', 'PLAN', 'BALANCE', 'STATE'], rows)
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function required(value: string | undefined, what: string): string {
  if (value === undefined) throw new OperatorError(`this command needs ${what}; see "mintick help"`)
  return value
}

function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text.trim())) throw new OperatorError(`"${text}" is not a whole number`)
  return Number(text)
}
