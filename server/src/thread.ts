import { parentPort, Worker } from 'node:worker_threads'

interface RequestMessage {
  id: number
  request: unknown
}

interface AnswerMessage {
  id: number
  answer?: unknown
  error?: string
}

interface ThreadOptions {
  /** The module's workerData. */
  data?: unknown
  /** The thread allocates many short-lived objects, so it gets a larger young generation. */
  computes?: boolean
  /** Ends the thread after this time without requests, to free its memory. */
  idleMs?: number
  /** Called when the thread ends for any reason; its state is lost then. */
  onEnd?(): void
}

/**
 * The command's --max-semi-space-size flag is too small for threads that compute: they would spend their time in GC.
 */
const YOUNG_MB = 32

/**
 * A worker thread that answers requests in order. It starts on the first request and does not keep the process alive.
 * If it ends, all waiting requests fail, because its state is lost; the next request starts a new thread.
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

  /** The number of unanswered requests. */
  get load(): number {
    return this.#waiting.size
  }

  get isRunning(): boolean {
    return this.#worker !== undefined
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
        worker.postMessage({ id, request } satisfies RequestMessage, transfer)
      } catch (error) {
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) this.#startIdling(worker)
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
    worker.on('message', ({ id, answer, error }: AnswerMessage) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#startIdling(worker)
      if (error === undefined) waiting?.resolve(answer as Answer)
      else waiting?.reject(new Error(error))
    })
    worker.on('error', (error: Error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the worker thread ended')))
    this.#worker = worker
    return worker
  }

  #startIdling(worker: Worker): void {
    worker.unref()
    const { idleMs } = this.#options
    if (idleMs === undefined) return
    this.#idle = setTimeout(() => {
      // Before terminate, which takes a while: requests from now on start a new thread.
      this.#fail(worker, new Error('the worker thread ended'))
      void worker.terminate()
    }, idleMs).unref()
  }

  #fail(worker: Worker, error: Error): void {
    // An older thread's end must not fail the requests of its successor.
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#options.onEnd?.()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** Answers the requests of a `Thread` inside its worker, one after another. */
export function answerRequests<Request, Answer>(answer: (request: Request) => Answer | Promise<Answer>): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', ({ id, request }: RequestMessage) => {
    last = last.then(async () => {
      let reply: AnswerMessage
      try {
        reply = { id, answer: await answer(request as Request) }
      } catch (error) {
        reply = { id, error: error instanceof Error ? error.message : String(error) }
      }
      parentPort?.postMessage(reply)
    })
  })
}
