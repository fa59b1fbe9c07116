import { flushCompileCache } from 'node:module'
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
  /** The most megabytes of lasting objects. Without a limit, V8 leaves garbage for as long as the machine has memory. */
  heapMb?: number
  /** Ends the thread after this time without requests, to free its memory. */
  idleMs?: number
  /** Called when the thread ends for any reason; its state is lost then. */
  onEnd?(): void
}

/**
 * A worker thread that answers requests in order. It starts on the first request or with `start`, and does not keep the process alive.
 * If it ends, all waiting requests fail, because its state is lost; the next request starts a new thread.
 */
export class Thread<Request, Answer> {
  readonly #module: URL
  readonly #options: ThreadOptions
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  #worker: Worker | undefined
  #lastId = 0
  #idle: NodeJS.Timeout | undefined
  /** Users of the thread's state, with or without a request. */
  #users = 0

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

  /** Starts the thread ahead of its first request. */
  start(): void {
    this.#started()
  }

  /** Keeps the thread and its state, also without requests, until the returned function is called. */
  keep(): () => void {
    this.#users += 1
    clearTimeout(this.#idle)
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      this.#users -= 1
      if (this.#worker !== undefined && this.#waiting.size === 0) this.#startIdling(this.#worker)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const { data, heapMb } = this.#options
    const worker = new Worker(this.#module, {
      workerData: data,
      resourceLimits: { ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }) },
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
    if (idleMs === undefined || this.#users > 0) return
    clearTimeout(this.#idle)
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

/**
 * Answers the requests of a `Thread` inside its worker, one after another. `moved` returns the buffers of an answer that the
 * other side gets without a copy. Returns a function that runs other work between two requests.
 */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
  moved: (answer: Answer) => ArrayBuffer[] = () => [],
): (work: () => Promise<void>) => void {
  // The thread has loaded its modules. At its end is too late: a process that is killed writes no cache.
  flushCompileCache()
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', ({ id, request }: RequestMessage) => {
    last = last.then(async () => {
      try {
        const given = await answer(request as Request)
        parentPort?.postMessage({ id, answer: given } satisfies AnswerMessage, moved(given))
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        parentPort?.postMessage({ id, error: message } satisfies AnswerMessage)
      }
    })
  })
  return (work) => {
    last = last.then(work)
  }
}

/** Returns the buffer that only these bytes use, which can be moved or freed; none if they are a part of another one. */
export function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0 ? [buffer] : []
}

/** Frees the memory of bytes now: the garbage collector lets tens of megabytes of buffers wait. They are empty then. */
export function free(bytes: Uint8Array): void {
  for (const buffer of ownBuffer(bytes)) buffer.transfer(0)
}
