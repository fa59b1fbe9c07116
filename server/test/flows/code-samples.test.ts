/** Runs every example of the reference, in every language, and compares the answers with those of the reference. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { type CodeSample, codeSamples, SAMPLE_URL } from '../../src/reference/code-samples.ts'
import { openApiOf } from '../../src/reference/openapi.ts'
import { firstEventIn, recordExamples, type Send, sendWithFetch } from '../../src/reference/record-examples.ts'
import { writeSite } from '../../src/reference/site/site.ts'
import { TestService } from '../harness.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Address of a file of the checkout, for imports. */
const fileUrl = (path: string) => pathToFileURL(join(ROOT, path)).href
const samplesOf = codeSamples(endpoints)
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))

suite('the examples of the reference', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-samples-'))
  const client = join(folder, 'node_modules/mintick-client')
  mkdirSync(client, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/ws'), join(folder, 'node_modules/ws'))
  const exports = { '.': './index.js', './admin': './admin.js' }
  writeFileSync(join(client, 'package.json'), JSON.stringify({ name: 'mintick-client', type: 'module', exports }))
  for (const name of ['index', 'admin']) {
    writeFileSync(join(client, `${name}.js`), `export * from '${fileUrl(`sdk/src/${name}.ts`)}'`)
  }
  after(() => rmSync(folder, { recursive: true }))

  test('in the shell get the answers that the reference shows', async (context) => {
    if (!isInstalled('curl')) return context.skip('curl is not installed')
    await assertSameAnswers('Shell', (source, env) => new Program(source, { env }))
  })

  test('in TypeScript get the answers that the reference shows', async () => {
    const interpreter = new Interpreter(process.execPath, ['--input-type=module', '-e', NODE_LOOP])
    let count = 0
    await assertSameAnswers('TypeScript', (source, env, later) => {
      const file = join(folder, `sample-${count++}.ts`)
      writeFileSync(file, source)
      return interpreter.run({ file: pathToFileURL(file).href, env }, later)
    })
    await interpreter.stop()
  })

  test('in Python get the answers that the reference shows', async (context) => {
    if (!isInstalled('python3')) return context.skip('Python is not installed')
    const interpreter = new Interpreter('python3', ['-u', '-c', PYTHON_LOOP])
    await assertSameAnswers('Python', (source, env, later) => interpreter.run({ source, env }, later))
    await interpreter.stop()
  })
})

test('every command of the guides and of the first page works', async (context) => {
  if (!isInstalled('curl')) return context.skip('curl is not installed')
  const service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
  const folder = mkdtempSync(join(tmpdir(), 'mintick-guides-'))
  context.after(async () => {
    rmSync(folder, { recursive: true })
    await service.stop()
  })
  const url = new URL(await service.listen()).origin
  const env = { PATH: process.env.PATH ?? '', KEY: (await service.openUnlimited()).key }
  const site = await writeSite(url)
  let cursor = ''
  for (const [path, command] of [...site].flatMap(([path, { text }]) => commandsIn(path, text))) {
    const program = new Program(command.replace('<nextCursor>', cursor), { cwd: folder, env })
    if (command.includes(' -O ')) {
      for await (const text of program.text()) assert.equal(text, '')
      assert.ok(readFileSync(join(folder, 'mintick.py'), 'utf8').includes('class Client'))
      continue
    }
    const returns = command.includes(' -N ') ? 'event-stream' : 'object'
    const answer = (await answerOf(program, returns)) as {
      success?: true
      event?: string
      meta?: { nextCursor?: string }
    }
    assert.ok(answer.success || answer.event === 'ready', `${path}: ${command}`)
    cursor = answer.meta?.nextCursor ?? ''
  }
})

/** Returns the commands on a page in Markdown, and on the first page. */
function commandsIn(path: string, text: string): (readonly [string, string])[] {
  const blocks = path.endsWith('.md')
    ? [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, code = '']) => code)
    : path === '/docs'
      ? [...text.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, code = '']) => textOf(code))
      : []
  return blocks.flatMap((code) => code.split(/(?<!\\)\n/)).map((command) => [path, command] as const)
}

const textOf = (code: string) =>
  code.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, point) => String.fromCharCode(Number(point)))

const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined

/** A program that runs. `text` yields its output; ending the iteration stops it. */
interface Running {
  text(): AsyncIterable<string>
  stop(): Promise<void>
}

type Run = (source: string, env: Record<string, string>, returnsLater: boolean) => Running

/** Records all examples by running their samples in one language. */
async function assertSameAnswers(lang: CodeSample['lang'], run: Run): Promise<void> {
  const send: Send = async (request) => {
    const { endpoint, url, path, body, secret = DEMO_KEY } = request
    const sample = samplesOf(endpoint, { path, body }).find((candidate) => candidate.lang === lang)
    if (sample === undefined || endpoint.cost.perFile) return sendWithFetch(request)
    const address = new URL(url).host
    const source = sample.source.replaceAll(new URL(SAMPLE_URL).host, address)
    const env = { PATH: process.env.PATH ?? '', KEY: secret, ADMIN_TOKEN: secret }
    const answer = await answerOf(run(source, env, endpoint.returns === 'websocket'), endpoint.returns)
    // Clients return the data of an answer.
    return lang === 'Shell' || !hasEnvelope(endpoint.returns) ? answer : { data: answer }
  }
  const executed = openApiOf(endpoints, document.info, await recordExamples(endpoints, send))
  const comparable = lang === 'Shell' ? (value: unknown) => value : onlyData
  assert.deepEqual(comparable(JSON.parse(JSON.stringify(executed))), comparable(document))
}

/** Returns a document whose examples of answers have only their data. */
const onlyData = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (name, member) =>
    name === 'example' && member !== null && member.data !== undefined ? { data: member.data } : member,
  )

/** Reads the answer that a program prints; of a stream, the first event. */
async function answerOf(program: Running, returns: string): Promise<unknown> {
  let text = ''
  for await (const chunk of program.text()) {
    text += chunk
    const event = returns === 'websocket' ? JSON.parse(text) : firstEventIn(text)
    if (event === undefined || !['websocket', 'event-stream'].includes(returns)) continue
    await program.stop()
    return event
  }
  return JSON.parse(text)
}

/** A shell that runs one command. */
class Program implements Running {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  constructor(command: string, options: { cwd?: string; env: Record<string, string> }) {
    // A group of its own, so that the command ends with its shell.
    this.#child = spawn('sh', ['-c', command], { ...options, detached: true })
    this.#ended = once(this.#child, 'close')
  }

  async *text() {
    yield* this.#child.stdout?.setEncoding('utf8') ?? []
  }

  async stop(): Promise<void> {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid)
    await this.#ended
  }
}

/** A program that runs sample after sample: starting it for each would take longer than the sample. */
class Interpreter {
  readonly #command: string
  readonly #args: string[]
  #child: ChildProcess | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(command: string, args: string[]) {
    this.#command = command
    this.#args = args
  }

  run(sample: object, returnsLater: boolean): Running {
    this.#child ??= this.#start()
    this.#child.stdin?.write(`${JSON.stringify(sample)}\n`)
    const lines = this.#lines
    return {
      async *text() {
        for (;;) {
          const { value = '{"failed":"the program has ended"}' } = (await lines?.next()) ?? {}
          const { printed, failed } = JSON.parse(value)
          assert.equal(failed, undefined)
          // A WebSocket prints after the end of its program.
          if (printed === undefined && !returnsLater) return
          if (printed !== undefined) yield typeof printed === 'string' ? printed : JSON.stringify(printed)
        }
      },
      stop: () => this.stop(),
    }
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    const ended = once(child, 'close')
    child.kill()
    await ended
  }

  #start(): ChildProcess {
    const env = { ...process.env, PYTHONPATH: join(ROOT, 'sdk/python'), PYTHONDONTWRITEBYTECODE: '1' }
    const child = spawn(this.#command, this.#args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return child
  }
}

/** Both loops read a sample per line, and write a line for each value that it prints and one at its end. */
const NODE_LOOP = `
import { createInterface } from 'node:readline'
const write = (line) => process.stdout.write(JSON.stringify(line) + '\\n')
console.log = (printed) => write({ printed })
for await (const line of createInterface({ input: process.stdin })) {
  const { file, env } = JSON.parse(line)
  Object.assign(process.env, env)
  await import(file).then(() => write({}), (error) => write({ failed: error.stack }))
}
`

const PYTHON_LOOP = `
import datetime, json, os, sys, traceback
def text_of(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec='milliseconds').replace('+00:00', 'Z')
    return value.isoformat()
def write(line):
    print(json.dumps(line, default=text_of), flush=True)
for line in sys.stdin:
    sample = json.loads(line)
    os.environ.update(sample["env"])
    try:
        exec(sample["source"], {"print": lambda printed: write({"printed": printed})})
        write({})
    except Exception:
        write({"failed": traceback.format_exc()})
`
