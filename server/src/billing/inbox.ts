import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import type { ReceivedEvent } from '../store/billing/processor-events.ts'
import type { Store } from '../store/store.ts'
import type { Fulfilment } from './fulfilment.ts'
import { type PaymentProcessor, WebhookRejected } from './processor.ts'

const FIRST_RETRY_MS = 30 * SECOND
const LONGEST_RETRY_MS = HOUR
/** Each listing of events overlaps the previous one, since events may be listed out of order. */
const OVERLAP_MS = 10 * MINUTE
/** A processor that is new to this store may have received payments before. */
const FIRST_LOOK_BACK_MS = DAY
const PORTION = 100
const MAX_MESSAGE = 500

/** Processes each event of the processor once: from webhooks, and by listing events whose webhook never arrived. */
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

  /** Processes a webhook request; refuses it if it is not signed by the processor, too old or of another type. */
  async receive(body: string, signature: string | undefined): Promise<void> {
    const event = await this.#processor.readEvent(body, signature, this.#clock.now()).catch((error: unknown) => {
      if (!(error instanceof WebhookRejected)) throw error
      throw new ApiError('BAD_REQUEST', `The webhook was refused: ${error.message}`)
    })
    if (event !== undefined && !(await this.process(event))) {
      throw new ApiError('INTERNAL_ERROR', 'The event is stored but could not be processed yet; it will be retried')
    }
  }

  /** Stores the event, then processes it. Returns false if that failed; the event is then scheduled for a retry. */
  async process(event: ReceivedEvent, attempts = 0): Promise<boolean> {
    const { processorEvents } = this.#store
    if (!(await processorEvents.receive(event, this.#clock.now()))) return true
    try {
      await this.#fulfilment.sync(event.subject)
      await processorEvents.done(event.id, this.#clock.now())
      return true
    } catch (error) {
      this.#onError(error)
      const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
      await processorEvents.putOff(event.id, this.#clock.now() + wait, messageOf(error))
      return false
    }
  }

  /** Stops after the current event. */
  stop(): void {
    this.#isStopped = true
  }

  /** Processes the events whose retry is due. */
  async retry(): Promise<void> {
    const due = await this.#store.processorEvents.listDue(this.#clock.now(), PORTION)
    for (const event of due) {
      // If the processor cannot be reached, the others would fail too, each after a timeout.
      if (this.#isStopped || !(await this.process(event, event.attempts))) return
    }
  }

  /** Processes events that were never delivered. */
  async catchUp(): Promise<void> {
    const { processorEvents } = this.#store
    const { name } = this.#processor
    const startedAt = this.#clock.now()
    const until = await processorEvents.sweptUntil(name)
    // If our clock was set back, `until` lies in the future and would skip events.
    const since = until === undefined ? startedAt - FIRST_LOOK_BACK_MS : Math.min(until, startedAt) - OVERLAP_MS
    for (const event of await this.#processor.listEvents(since)) {
      if (this.#isStopped) return
      if (!(await processorEvents.isKnown(event.id)) && !(await this.process(event))) return
    }
    await processorEvents.setSweptUntil(name, startedAt)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
