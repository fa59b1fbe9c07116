import { parentPort, Worker } from 'node:worker_threads'

interface Question {
  id: number
  request: unknown
}

interface Reply {
  id: number
  answer?: unknown
  error?: string
}

interface ThreadOptions {
  /** The workerData of the module. */
  data?: unknown
  /** Makes much that is soon forgotten. */
  computes?: boolean
  idleMs?: number
  /** Told when the thread ends, whatever the reason: what it was told is forgotten. */
  onEnd?(): void
}

/** All threads are kept small by a flag; one that computes would spend its time collecting garbage. */
const YOUNG_MB = 32

/**
 * A worker thread that answers requests. It starts with the first one, does not keep the process alive, and with
 * `idleMs` ends when nothing was asked for so long, which gives its memory back.
 */
export class Thread<Request, Answer> {
  readonly #module: URL
  readonly #options: ThreadOptions
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  #worker: Worker | undefined
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  constructor(module: URL, options: ThreadOptions = {}) {
    this.#module = module
    this.#options = options
  }

  /** Requests that are not answered yet. */
  get load(): number {
    return this.#waiting.size
  }

  ask(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const worker = this.#started()
    clearTimeout(this.#idle)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      try {
        worker.postMessage({ id, request } satisfies Question, transfer)
      } catch (error) {
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) this.#rest(worker)
        reject(error)
      }
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(this.#module, {
      workerData: this.#options.data,
      ...(this.#options.computes && { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } }),
    })
    worker.unref()
    worker.on('message', ({ id, answer, error }: Reply) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#rest(worker)
      if (error === undefined) waiting?.resolve(answer as Answer)
      else waiting?.reject(new Error(error))
    })
    worker.on('error', (error: Error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the thread has ended')))
    this.#worker = worker
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    const { idleMs } = this.#options
    if (idleMs === undefined) return
    this.#idle = setTimeout(() => {
      // Let go of at once: what is asked while it ends is for the next one.
      this.#fail(worker, new Error('the thread has ended'))
      void worker.terminate()
    }, idleMs).unref()
  }

  #fail(worker: Worker, error: Error): void {
    // One that has ended must not be asked again, and its end must not touch what a newer one is asked.
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#options.onEnd?.()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** The other side of `Thread`: answers each request in turn. */
export function answerRequests<Request, Answer>(answer: (request: Request) => Answer | Promise<Answer>): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', ({ id, request }: Question) => {
    last = last.then(async () => {
      let reply: Reply
      try {
        reply = { id, answer: await answer(request as Request) }
      } catch (error) {
        reply = { id, error: error instanceof Error ? error.message : String(error) }
      }
      parentPort?.postMessage(reply)
    })
  })
}
