import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './harness.ts'
import type { WorkerMessage } from './source-worker.ts'

/** Returns processes that read the sources of a SOURCES file into the same store. */
export function startReaders(place: Place, settings: object, count: number): SourceReader[] {
  const { DATA_DIR = '', DATABASE_URL } = place.env
  const file = join(DATA_DIR, 'sources.json')
  writeFileSync(file, JSON.stringify(settings))
  const args = [file, DATA_DIR, ...(DATABASE_URL === undefined ? [] : [DATABASE_URL])]
  return Array.from({ length: count }, () => new SourceReader(args))
}

/** A process that reads sources, and is started again when it is killed. */
export class SourceReader {
  readonly #args: string[]
  #child: ChildProcess | undefined
  #exit: Promise<undefined> = Promise.resolve(undefined)
  /** Receives the end of the reading that is under way. */
  #onEnd: (errors: string[]) => void = () => {}
  /** Called with the time that the shared pace allows a request for. */
  onPaced: (at: number) => void = () => {}

  constructor(args: string[]) {
    this.#args = args
  }

  async readUntil(time: number): Promise<void> {
    for (;;) {
      const child = this.#child ?? (await this.#start())
      const end = new Promise<string[]>((resolve) => {
        this.#onEnd = resolve
      })
      child.send(time, () => {}) // it may have been killed
      const errors = await Promise.race([end, this.#exit])
      if (errors === undefined) continue
      assert.deepEqual(errors, [])
      return
    }
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, 'source-worker.ts'), this.#args, { execArgv: [] })
    this.#child = child
    this.#exit = once(child, 'exit').then(([code]) => {
      assert.equal(code, null, 'it ended by itself')
      this.#child = undefined
      return undefined
    })
    const ready = once(child, 'message')
    child.on('message', (message: WorkerMessage) => {
      if ('pacedAt' in message) this.onPaced(message.pacedAt)
      else if ('errors' in message) this.#onEnd(message.errors)
    })
    await Promise.race([ready, this.#exit])
    return child
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async end(): Promise<void> {
    this.kill()
    await this.#exit
  }
}
