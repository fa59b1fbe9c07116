import { parseArgs } from 'node:util'
import { DEMO_KEY } from '../admission/key.ts'
import { readPaymentSettings } from '../billing/payment-settings.ts'
import { type Config, OperatorError, readConfig } from '../config.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { accountsCommand } from './accounts.ts'

const USAGE = `Usage: mintick <command>

  serve                     start the service (what npm start does)
  accounts list             list accounts, newest first
  accounts create EMAIL     open an account: --name NAME --plan PLAN --credits N
  accounts show ID
  accounts plan ID PLAN
  accounts credits ID N     give (or, negative, take) credits: --reason TEXT
  accounts key ID [NAME]    make another key for the account
  accounts disable ID       refuse all keys of the account;  accounts enable ID
  accounts audit            check that the ledger adds up
  import entries FILE       load raw entries, a JSON object a line: title, url, content, publisher, publishedAt …
  import assets FILE        add or change assets by key, a JSON object a line: key, name, type, aliases, sector …
  import topics FILE        the same by slug: slug, name, parentSlug, description, terms
  import publishers FILE    the same by slug: slug, name, domain, countryCode, language, type …
  enrich                    read texts from stdin, write what is found in them: {title, content?, language?} a line
  reindex                   read all entries again with the present rules and models; goes on where it was stopped
  seed --entries N          add N sample entries for load tests, up to now or to --to TIME
  generate                  write openapi.json and docs/reference (--check: only compare)

The accounts commands talk to the running service of the same settings (HOST, PORT, DATA_DIR, ADMIN_TOKEN).
import and reindex go through it if it has the store open. With the embedded store, seed needs the service stopped.
`

/** Runs one command line; every failure the user can mend ends in one line. A command loads only what it needs. */
export async function run(args: string[]): Promise<void> {
  const [command, ...rest] = args
  try {
    switch (command) {
      case 'serve':
        await serve(readConfig())
        return
      case 'accounts':
        process.stdout.write(await accountsCommand(rest, readConfig()))
        return
      case 'import':
        await (await import('./import.ts')).importCommand(rest)
        return
      case 'enrich':
        await (await import('./enrich.ts')).enrichCommand()
        return
      case 'reindex':
        await (await import('./reindex.ts')).reindexCommand()
        return
      case 'seed':
        await (await import('./seed.ts')).seedCommand(rest)
        return
      case 'generate': {
        const { values } = parseArgs({ args: rest, options: { check: { type: 'boolean', default: false } } })
        const { generate } = await import('../reference/generate.ts')
        process.exitCode = generate(values.check) ? 0 : 1
        return
      }
      case undefined:
      case 'help':
      case '--help':
        process.stdout.write(USAGE)
        return
      default:
        throw new OperatorError(`there is no command "${command}"; "mintick help" lists them`)
    }
  } catch (error) {
    if (!(error instanceof OperatorError) && !isArgumentError(error)) throw error
    process.stderr.write(`mintick: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function serve(config: Config): Promise<void> {
  // The store holds email addresses and request logs: nobody else's to read, whatever the folder's mode.
  process.umask(0o077)
  const { createMintick } = await import('../main.ts') // the other commands start without it
  const mintick = await createMintick(config, { say: (line) => process.stdout.write(`${line}\n`) })
  // Before anything else can go wrong: it is kept nowhere.
  if (mintick.ownerKey !== undefined) {
    process.stdout.write(`\nYour owner key, shown this once:  ${mintick.ownerKey}\n`)
  }
  let isClosing = false
  const stop = async () => {
    if (isClosing) return
    isClosing = true
    await mintick.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await mintick.app.listen({ port: config.PORT, host: config.HOST })
    process.stdout.write(banner(mintick.address.publicUrl, readPaymentSettings(config).kind))
  } catch (error) {
    await mintick.close()
    throw new OperatorError(
      `cannot listen on ${config.HOST}:${config.PORT}; set PORT or HOST to another (${error instanceof Error ? error.message : error})`,
    )
  }
}

const SELLING = {
  sandbox: 'Plans and credits are sold in a sandbox: no money moves.',
  stripe: 'Plans and credits are sold through Stripe.',
  off: 'Nothing is sold.',
} as const

function banner(url: string, payments: keyof typeof SELLING): string {
  return `
Mintick is ready at ${url}
${SELLING[payments]}

Try it:
  curl -H "Authorization: Bearer ${DEMO_KEY}" "${url}${API_PREFIX}/entries?limit=1"

`
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
