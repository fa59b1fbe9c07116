import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { type Config, OperatorError } from '../config.ts'
import { Fetcher } from '../sources/fetch/fetcher.ts'
import { PRESETS, readSources } from '../sources/sources-file.ts'
import { trySource } from '../sources/try-source.ts'
import { adminClient } from './admin-client.ts'
import { required } from './required.ts'
import { table } from './table.ts'

/** A source as the operator API answers it. */
interface SourceLine {
  id: string
  kind: string
  address: string
  from: string
  status: string
  lastRunAt: string | null
  nextRunAt: string | null
  added: number
  changed: number
  rejected: number
  lagSeconds: number | null
  error: string | null
}

interface FoundFeed {
  url: string
  title: string | null
  items: number
  newestAt: string | null
  others: string[]
  warning: string | null
}

const ACTIONS = ['run', 'pause', 'resume'] as const
const SHOWN_ADDRESS = 60
const HOST_NAMES = /\b[\w-]+(?:\.[\w-]+)+(?::\d+)?\b/g

/** `mintick sources …`: a client of the operator API, except `presets` and `test`. */
export async function sourcesCommand(args: string[], config: Config): Promise<void> {
  const [action, subject, ...flags] = args
  const [extra] = action === 'add' ? [] : flags
  if (extra !== undefined) throw new OperatorError(`unexpected argument "${extra}"; see "mintick help"`)
  if (action === 'presets') return print(presetsText(subject))
  if (action === 'test') return testFile(required(subject, 'a SOURCES file or a preset'), config)

  const api = adminClient(config)
  const all = () => api<SourceLine[]>('GET', '/admin/sources')
  const path = async () => `/admin/sources/${(await find(await all(), required(subject, 'a source'))).id}`
  if (action === 'run' && (subject === undefined || subject === '--all')) return print(await runAll(api, await all()))
  const known = ACTIONS.find((one) => one === action)
  if (known !== undefined) {
    const { address, status, nextRunAt } = await api<SourceLine>('POST', `${await path()}/${known}`)
    return print(`${address} is ${status}; next run: ${nextRunAt ?? 'none'}\n`)
  }
  switch (action) {
    case 'list':
      return print(listText(await all()))
    case 'show':
      return print(`${JSON.stringify(await api('GET', await path()), null, 2)}\n`)
    case 'add': {
      const url = required(subject, 'an address or a kind of source')
      const { sources, found, warning } = await api<{
        sources: SourceLine[]
        found: FoundFeed | null
        warning: string | null
      }>('POST', '/admin/sources', givenSource(url, flags))
      return print(`${addedText(sources, found)}${warning === null ? '' : `${warning}\n`}`)
    }
    case 'remove': {
      const source = await path()
      await api('DELETE', source)
      return print('Removed. What it brought stays.\n')
    }
    default:
      throw new OperatorError(
        `sources needs one of list, show, add, ${ACTIONS.join(', ')}, remove, test, presets; see "mintick help"`,
      )
  }
}

/** Lets the service read all sources that are neither paused nor stopped. */
async function runAll(api: ReturnType<typeof adminClient>, sources: readonly SourceLine[]): Promise<string> {
  const due = sources.filter(({ nextRunAt }) => nextRunAt !== null)
  for (const { id } of due) await api('POST', `/admin/sources/${id}/run`)
  return `${due.length} of ${sources.length} sources are read now\n`
}

/** Finds a source by its id, its address, or a part of either that only one source has. */
async function find(all: readonly SourceLine[], wanted: string): Promise<SourceLine> {
  const exact = all.find(({ id, address }) => id === wanted || address === wanted)
  if (exact !== undefined) return exact
  const similar = all.filter(({ id, address }) => id.startsWith(wanted) || address.includes(wanted))
  const [only, ...others] = similar
  if (only === undefined) throw new OperatorError(`there is no source ${wanted}; "mintick sources list" lists them`)
  if (others.length > 0) {
    const shown = similar.slice(0, 10).map(({ address }) => `  ${address}\n`)
    throw new OperatorError(`several sources match ${wanted}:\n${shown.join('')}`)
  }
  return only
}

function listText(sources: readonly SourceLine[]): string {
  if (sources.length === 0) return 'No sources. Set SOURCES=starter, or add one: mintick sources add URL\n'
  const rows = sources.map((source) => [
    source.kind,
    shorten(source.address),
    source.from,
    source.status,
    minutes(source.lastRunAt),
    minutes(source.nextRunAt),
    `${source.added}/${source.changed}/${source.rejected}`,
    source.lagSeconds === null ? '–' : `${source.lagSeconds} s`,
  ])
  const header = ['KIND', 'ADDRESS', 'FROM', 'STATUS', 'LAST RUN', 'NEXT RUN', 'NEW/CHANGED/REJECTED', 'LAG']
  const problems = problemLines(sources)
  return `${table(header, rows)}${problems.length > 0 ? `\nProblems:\n${problems.join('')}` : ''}`
}

/** Returns a line per problem. Sources with the same one share a line, whatever their hosts. */
function problemLines(sources: readonly SourceLine[]): string[] {
  const failed = sources.flatMap(({ address, error }) => (error === null ? [] : [{ address, error }]))
  const groups = Map.groupBy(failed, ({ error }) => error.replace(HOST_NAMES, '…'))
  return [...groups].map(([problem, [first, ...others]]) =>
    others.length === 0
      ? `  ${shorten(first?.address ?? '')}: ${first?.error}\n`
      : `  ${others.length + 1} sources, such as ${shorten(first?.address ?? '')}: ${problem}\n`,
  )
}

const shorten = (text: string) => (text.length > SHOWN_ADDRESS ? `${text.slice(0, SHOWN_ADDRESS - 1)}…` : text)

/** Shows a time to the minute. */
const minutes = (time: string | null) => (time === null ? '–' : time.slice(0, 16).replace('T', ' '))

function addedText(sources: readonly SourceLine[], found: FoundFeed | null): string {
  const lines = sources.map(({ address }) => `Added ${address}\n`)
  if (found === null) return lines.join('')
  const newest = found.newestAt === null ? 'without dates' : `the newest from ${minutes(found.newestAt)}`
  const others = found.others.map((url) => `  ${url}\n`)
  return [
    `Found the feed "${found.title ?? found.url}": ${found.items} items, ${newest}\n`,
    ...(found.warning === null ? [] : [`Warning: ${found.warning}\n`]),
    ...lines,
    ...(others.length > 0 ? [`The page links to more feeds, which were not added:\n${others.join('')}`] : []),
  ].join('')
}

/** Reads what to add: options in JSON, filings of EDGAR, or the address of a feed. */
function givenSource(subject: string, flags: string[]): object {
  if (subject === 'edgar') return { kind: 'edgar', ...edgarOptions(flags) }
  if (flags.length > 0) throw new OperatorError(`unexpected argument "${flags[0]}"; see "mintick help"`)
  return subject.startsWith('{') ? readOptions(subject) : { url: subject }
}

function edgarOptions(args: string[]): object {
  const [text, texts] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
  const { values } = parseArgs({
    args,
    options: {
      contact: text,
      ticker: texts,
      cik: texts,
      form: texts,
      from: text,
      to: text,
      url: text,
      'data-url': text,
    },
  })
  const { ticker: tickers, cik: ciks, form: forms, 'data-url': dataUrl, ...others } = values
  const given = { ...others, tickers, ciks, forms, dataUrl }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function readOptions(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    throw new OperatorError('the options of a source must be JSON, such as {"kind": "kraken", "pairs": ["BTC/USD"]}')
  }
}

function presetsText(name: string | undefined): string {
  if (name === undefined) {
    const rows = PRESETS.map((preset) => {
      const { sources } = readSources(preset, { edgar: { contact: 'you@example.com' } })
      const counts = Map.groupBy(sources, ({ kind }) => kind)
      return [preset, String(sources.length), [...counts].map(([kind, list]) => `${list.length} ${kind}`).join(', ')]
    })
    return `${table(['PRESET', 'SOURCES', 'KINDS'], rows)}"mintick sources presets NAME" prints a preset, to copy and edit.\n`
  }
  if (!PRESETS.includes(name)) throw new OperatorError(`there is no preset ${name}; presets are ${PRESETS.join(', ')}`)
  return readFileSync(join(import.meta.dirname, `../sources/presets/${name}.yaml`), 'utf8')
}

/** Reads every source of a file once, without storing anything. */
async function testFile(setting: string, config: Config): Promise<void> {
  const defaults = config.EDGAR_CONTACT === undefined ? {} : { edgar: { contact: config.EDGAR_CONTACT } }
  const { sources, allowHosts } = readSources(setting, defaults)
  const fetcher = new Fetcher({ contact: config.SOURCES_CONTACT, allowHosts, now: systemClock.now })
  let failed = 0
  for (const source of sources) {
    const result = await trySource(source, fetcher, systemClock.now())
    if ('error' in result) failed += 1
    print(
      `${'error' in result ? 'FAILED' : 'ok    '}  ${source.key}: ${'error' in result ? result.error : result.found}\n`,
    )
  }
  print(`${sources.length - failed} of ${sources.length} sources can be read\n`)
  if (failed > 0) process.exitCode = 1
}

function print(text: string): void {
  process.stdout.write(text)
}
