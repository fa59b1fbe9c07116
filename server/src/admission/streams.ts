import type { ClosingReason } from '../model/streams.ts'
import type { Caller } from './caller.ts'

/** What an open stream holds: a slot of its account and the cost of a minute. */
export interface StreamTicket {
  /** Settles the time that the stream was open and frees its slot. Again: nothing happens. */
  close(): Promise<void>
}

/** Lets streams in and meters them while they are open. */
export interface StreamMeter {
  creditsPerMinute(caller: Caller): number
  /**
   * Takes a slot and holds the cost of a minute; throws 402 or 429. `end` is called when the stream has to be ended:
   * its ticket is closed by then.
   */
  open(
    caller: Caller,
    stream: { id: string; endpoint: string; end: (reason: ClosingReason) => void },
  ): Promise<StreamTicket>
}
