import { parseArgs } from 'node:util'
import { OperatorError, readClientSettings, readConfig } from '../config.ts'
import { version } from '../version.ts'

const usage = (resources: string) => `Usage: mintick <command>, mintick --version, mintick <command> --help

  serve                     start the service (npm start does the same)
  accounts list             list accounts, newest first
  accounts find PREFIX      list accounts whose email address begins so
  accounts create EMAIL     create an account: --name NAME --plan PLAN --credits N
  accounts show ID          show an account
  accounts plan ID PLAN     change the plan of an account
  accounts credits ID N     add credits, or remove them if N is negative: --reason TEXT
  accounts key ID [NAME]    create another API key for an account
  accounts keys ID          list the API keys of an account
  accounts revoke ID KEYID  revoke an API key of an account
  accounts suspend ID       refuse all API keys of an account: --reason TEXT, which only operators see
  accounts enable ID        accept them again
  accounts export ID [FILE] write everything that is stored about an account to a JSON file
  accounts delete ID --yes  remove what identifies the owner of an account, and keep its ledger
  accounts audit            check that the ledger adds up
  tokens list               list admin tokens besides the one in DATA_DIR or ADMIN_TOKEN
  tokens create NAME        create an admin token: --scope read (every GET), support (also accounts) or owner (everything)
  tokens revoke NAME        refuse an admin token from now on
  sign-in-link              print a link that signs the owner in to the dashboard once, or the user with --email EMAIL
  audit-trail               list what operators did, newest first: --token NAME --target ID --after TIME --before TIME --limit N
  sources list              list the sources that the service reads: state, runs, items, problems
  sources add URL           look at an address and add the feed there, or the one that the page links to
  sources add edgar         read filings at the SEC: --contact EMAIL; those of a company or a time: --ticker, --cik, --form, --from, --to
  sources show SOURCE       show a source; also run, pause, resume, remove SOURCE (an id, or a part of the address)
  sources run --all         read all sources now, for example after an outage of the network
  sources presets [NAME]    list the presets for SOURCES, or print one to copy and edit
  sources test FILE         try every source of a SOURCES file without storing anything
  import RESOURCE FILE      add your own records from NDJSON or CSV (- for stdin); --update overwrites existing ones,
                            --set FIELD=VALUE completes rows, --rejects FILE receives the rejected rows:
${resources}
  mcp                       serve agents by the Model Context Protocol over stdin and stdout: --url URL --key KEY, or MINTICK_URL and
                            MINTICK_API_KEY, of any running service
  export DATASET FILE       write all rows of a list to a .ndjson, .csv or .parquet file, with its filters such as --assetKey AAPL;
                            continues a broken .ndjson or .csv. Reads MINTICK_API_KEY and MINTICK_URL
  enrich                    read {title, content?, language?} per line from stdin, print language, sentiment, assets and topics
  parse KIND FILE…          print what is in feeds or answers of a vendor as NDJSON (feed, kraken-ohlc, polymarket, sec-ownership …)
  reindex                   enrich all entries again with the current rules and models; resumes if it was interrupted
          [--status]        show how many entries were read by older rules
          [--pause]         pause the running service; the next reindex resumes
  backup FILE               write the embedded store with its keys into one file, also while the service runs
  restore FILE              put a backup into DATA_DIR, which must be empty; --force moves its files aside
  sample clear              remove the sample data, but not yours; --yes does not ask
  seed --entries N          add N sample entries for load tests, ending now or at --to TIME
  generate                  write openapi.json and docs/reference (--check: only compare)

The accounts, tokens, sign-in-link, audit-trail and sources commands call the running service; HOST, PORT, ADMIN_HOST,
ADMIN_PORT, ADMIN_TOKEN and DATA_DIR must be the same as for "serve".
import, reindex and sample clear call it too if it has the store open. With the embedded store, stop the service before seed and restore.
`

/**
 * Runs a command line. Errors that the operator can fix end in one line. Each command loads only the modules it needs.
 */
export async function run(args: string[]): Promise<void> {
  const [command, ...rest] = args
  try {
    if (command !== undefined && rest.includes('--help')) {
      process.stdout.write(await usageOf(command))
      return
    }
    switch (command) {
      case 'serve':
        await (await import('./serve.ts')).serveCommand()
        return
      case 'accounts': {
        const { accountsCommand } = await import('./accounts.ts')
        process.stdout.write(await accountsCommand(rest, readConfig()))
        return
      }
      case 'tokens':
        process.stdout.write(await (await import('./tokens.ts')).tokensCommand(rest, readConfig()))
        return
      case 'sign-in-link':
        process.stdout.write(await (await import('./sign-in-link.ts')).signInLinkCommand(rest, readConfig()))
        return
      case 'audit-trail':
        process.stdout.write(await (await import('./audit-trail.ts')).auditTrailCommand(rest, readConfig()))
        return
      case 'sources':
        await (await import('./sources.ts')).sourcesCommand(rest, readConfig())
        return
      case 'import':
        await (await import('./import.ts')).importCommand(rest)
        return
      case 'mcp':
        await (await import('./mcp.ts')).mcpCommand(rest)
        return
      case 'export': {
        const { exportCommand } = await import('./export.ts')
        process.stdout.write(await exportCommand(rest, readClientSettings()))
        return
      }
      case 'enrich':
        await (await import('./enrich.ts')).enrichCommand()
        return
      case 'parse':
        await (await import('./parse.ts')).parseCommand(rest)
        return
      case 'reindex':
        await (await import('./reindex.ts')).reindexCommand(rest)
        return
      case 'backup':
        await (await import('./backup.ts')).backupCommand(rest)
        return
      case 'restore':
        await (await import('./backup.ts')).restoreCommand(rest)
        return
      case 'sample':
        await (await import('./sample.ts')).sampleCommand(rest)
        return
      case 'seed':
        await (await import('./seed.ts')).seedCommand(rest)
        return
      case 'generate': {
        const { values } = parseArgs({ args: rest, options: { check: { type: 'boolean', default: false } } })
        const { generate } = await import('../reference/generate.ts')
        process.exitCode = (await generate(values.check)) ? 0 : 1
        return
      }
      case undefined:
      case 'help':
      case '--help':
        process.stdout.write(await fullUsage())
        return
      case '--version':
        process.stdout.write(`${version}\n`)
        return
      default:
        throw unknown(command)
    }
  } catch (error) {
    if (!(error instanceof OperatorError) && !isArgumentError(error)) throw error
    process.stderr.write(`mintick: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function fullUsage(): Promise<string> {
  return usage((await import('./import-usage.ts')).resourceLines())
}

/** Returns the lines of one command, with those that continue them. */
async function usageOf(command: string): Promise<string> {
  let isOfCommand = false
  const lines = (await fullUsage()).split('\n').filter((line) => {
    if (!line.startsWith('   ')) isOfCommand = line.startsWith(`  ${command} `)
    return isOfCommand
  })
  if (lines.length === 0) throw unknown(command)
  return `Usage: mintick <command>\n\n${lines.join('\n')}\n`
}

function unknown(command: string): OperatorError {
  return new OperatorError(`unknown command "${command}"; "mintick help" lists all commands`)
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
