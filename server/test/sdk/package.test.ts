/** The packed TypeScript client in an empty project: what its users get. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { TestService } from '../harness.ts'
import { whilePublishing } from '../streams.ts'
import { bundle } from './bundle.ts'
import { SDK } from './walk.ts'

const MAX_GZIPPED_BYTES = 12 * 1_024

const run = promisify(execFile)

suite('the package of the TypeScript client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-client-'))
  const installed = join(folder, 'node_modules/mintick-client')

  before(() => {
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: SDK, stdio: 'ignore' })
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const [archive = ''] = globSync('*.tgz', { cwd: folder })
    execFileSync('npm', ['install', '--offline', join(folder, archive)], { cwd: folder, stdio: 'ignore' })
  })
  after(() => rmSync(folder, { recursive: true }))

  test('is alone: it has no dependencies and no sources', () => {
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['mintick-client'],
    )
    assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json'])
  })

  test('has at most 12 KB compressed, and only what is imported', async () => {
    const whole = await bundle("import { Mintick } from 'mintick-client'; globalThis.client = Mintick", folder)
    assert.ok(whole.gzippedBytes < MAX_GZIPPED_BYTES, `${whole.gzippedBytes} bytes`)
    assert.ok(!whole.code.includes('/admin/'))
    const [error, assets] = [
      await bundle("import { NotFoundError } from 'mintick-client'; globalThis.error = NotFoundError", folder),
      await bundle(
        "import { AssetsResource, Transport } from 'mintick-client'; globalThis.assets = [AssetsResource, Transport]",
        folder,
      ),
    ]
    assert.ok(error.gzippedBytes < 600, `${error.gzippedBytes} bytes`)
    assert.ok(assets.gzippedBytes < whole.gzippedBytes / 2 + 1_024, `${assets.gzippedBytes} bytes`)
    for (const part of ['/api/v1/sec', '/api/v1/signals', 'heartbeat']) assert.ok(!assets.code.includes(part), part)
  })

  test('documents every export and every member', () => {
    const isInternal = (file: string) => /\b(?:deadline|sse)\.d\.ts$/.test(file)
    for (const file of globSync('dist/**/*.d.ts', { cwd: installed, exclude: isInternal })) {
      const lines = readFileSync(join(installed, file), 'utf8').split('\n')
      for (const [index, line] of lines.entries()) {
        const isDeclared = /^export (?:declare |interface |type \w+ =)/.test(line)
        // Not members: parts of inline types, and the name that every error has.
        const isMember = /^ {4}(?!#|\*|\/|name: string|event: '\w+'|\[Name in|readonly [A-Z_]+:)[\w'["].*[:(]/.test(
          line,
        )
        if (isDeclared || isMember) assert.match(lines[index - 1] ?? '', /\*\/$/, `${file}:${index + 1} ${line}`)
      }
    }
  })

  test('has types that find mistakes, with and without the types of Node', async () => {
    const wrong = {
      "client.entries.list({ assetKeys: 'AAPL' })": 'assetKeys',
      'client.entries.get()': 'arguments, but got 0',
      "client.entries.list({ sortBy: 'title' })": '\'"title"\'',
      '(await client.account.get()).nonsense': 'nonsense',
      'client.account.keys.create({})': "'name' is missing",
    }
    const start = "import { Mintick } from 'mintick-client'\nconst client = new Mintick({ url: '', apiKey: '' })\n"
    writeFileSync(join(folder, 'wrong.ts'), `${start}${Object.keys(wrong).join(';\n')}\n`)
    const { stdout } = await check('wrong.ts').catch((error) => error)
    const found = String(stdout)
      .split(/^wrong\.ts/m)
      .slice(1)
    assert.equal(found.length, Object.keys(wrong).length, stdout)
    for (const [index, text] of Object.values(wrong).entries()) assert.ok(found[index]?.includes(text), stdout)
  })

  test('runs every example of its README', async (context) => {
    const service = await TestService.start('sqlite', { SAMPLE_DATA: 'on' })
    context.after(() => service.stop())
    const url = new URL('/', await service.listen()).href
    const { key } = await service.openUnlimited()
    const { adminToken: token } = service.mintick
    const examples = [...readFileSync(join(SDK, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
      ([, code]) => code,
    )
    assert.equal(examples.length, 9)
    const source = examples.join('\n')
    writeFileSync(join(folder, 'readme.ts'), source)
    await check('readme.ts')
    const signal = { kind: 'material_event', strength: 0.9, title: 'Item 1.01' } as const
    for (const node of [process.execPath, ...systemNode()]) {
      const program = source
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('mtk_…', key)
        .replaceAll('mta_…', token)
        .replaceAll('ada@', `${randomUUID()}@`)
      // The examples are JavaScript as well.
      writeFileSync(join(folder, 'readme.js'), program)
      const { stdout } = await whilePublishing(
        service,
        () => signal,
        () => run(node, ['readme.js'], { cwd: folder, timeout: 60_000 }),
      )
      const lines = stdout.trim().split('\n')
      assert.match(lines[0] ?? '', /^\d+ \w/)
      assert.ok(
        lines.some((line) => /^(new|updated) material_event Item 1.01$/.test(line)),
        stdout,
      )
      assert.ok(lines.includes('no such entry'))
    }
  })

  const check = (file: string) =>
    run(
      process.execPath,
      [
        join(SDK, '../node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'],
        ...['--lib', 'es2022,dom,dom.asynciterable', '--types', '', file],
      ],
      { cwd: folder },
    )
})

/** Returns the Node outside of this project, if there is one of at least version 20. */
function systemNode(): string[] {
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'))
  const found = places.map((place) => join(place, 'node')).find(existsSync)
  const version = found && Number(/^v(\d+)/.exec(execFileSync(found, ['--version'], { encoding: 'utf8' }))?.[1])
  return found !== undefined && Number(version) >= 20 ? [found] : []
}
