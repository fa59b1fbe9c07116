import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import type { ReceivedEvent } from '../store/billing/events.ts'
import type { Store } from '../store/store.ts'
import type { Fulfilment } from './fulfilment.ts'
import { MessageRefused, type PaymentProcessor } from './processor.ts'

const FIRST_RETRY_MS = 30 * SECOND
const LONGEST_RETRY_MS = HOUR
/** Events are looked through again from so long before the last time: they need not appear in order. */
const OVERLAP_MS = 10 * MINUTE
/** A processor that is new to this store may have been paid through before. */
const FIRST_LOOK_BACK_MS = DAY
const PORTION = 100
/** Longer than the processor itself keeps them. */
const KEPT_MS = 40 * DAY

/** Takes the events of the processor, each once: from its messages, and by looking for those that never came. */
export class Inbox {
  readonly #store: Store
  readonly #processor: PaymentProcessor
  readonly #fulfilment: Fulfilment
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  #isStopped = false

  constructor(deps: {
    store: Store
    processor: PaymentProcessor
    fulfilment: Fulfilment
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#fulfilment = deps.fulfilment
    this.#clock = deps.clock
    this.#onError = deps.onError
  }

  /** A message that is not signed by the processor, is old or is no event for us changes nothing. */
  async receive(body: string, signature: string | undefined): Promise<void> {
    const event = await this.#processor.readEvent(body, signature, this.#clock.now()).catch((error: unknown) => {
      if (!(error instanceof MessageRefused)) throw error
      throw new ApiError('BAD_REQUEST', `The message was refused: ${error.message}`)
    })
    if (event !== undefined && !(await this.take(event))) {
      throw new ApiError('INTERNAL_ERROR', 'The event is kept; what it is about could not be looked at yet')
    }
  }

  /** Keeps the event, then does what it asks for. False when that has to be tried again, which it will be. */
  async take(event: ReceivedEvent, attempts = 0): Promise<boolean> {
    const { processorEvents } = this.#store
    if (!(await processorEvents.receive(event, this.#clock.now()))) return true
    try {
      await this.#fulfilment.lookAt(event.about)
      await processorEvents.done(event.id, this.#clock.now())
      return true
    } catch (error) {
      this.#onError(error)
      const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
      await processorEvents.putOff(event.id, this.#clock.now() + wait)
      return false
    }
  }

  /** The event at hand is finished. */
  stop(): void {
    this.#isStopped = true
  }

  /** What was put off and is due. */
  async retry(): Promise<void> {
    const due = await this.#store.processorEvents.listDue(this.#clock.now(), PORTION)
    for (const { attempts, ...event } of due) {
      // Where one fails for want of the processor, so would the others; each of them would be waited for.
      if (this.#isStopped || !(await this.take(event, attempts))) return
    }
  }

  /** Events that the processor has and that were never delivered. */
  async catchUp(): Promise<void> {
    const { processorEvents } = this.#store
    const { name } = this.#processor
    const startedAt = this.#clock.now()
    const until = await processorEvents.sweptUntil(name)
    // A clock that was set back since must not hide what has come since.
    const since = until === undefined ? startedAt - FIRST_LOOK_BACK_MS : Math.min(until, startedAt) - OVERLAP_MS
    for (const event of await this.#processor.listEvents(since)) {
      if (this.#isStopped) return
      if (!(await processorEvents.isKnown(event.id)) && !(await this.take(event))) return
    }
    await processorEvents.setSweptUntil(name, startedAt)
    await processorEvents.forget(startedAt - KEPT_MS)
  }
}
