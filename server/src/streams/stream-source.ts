import type { BusTopic } from '../bus/bus.ts'
import type { Frame } from '../http/wire.ts'

/** The events of one kind of stream. Their ids are positions in a log, in the order of commits. */
export interface StreamSource<Event extends { id: number }, Filter> {
  /** Announces new events. */
  readonly topic: BusTopic
  /** Whether every id belongs to an event, so that a missing one is an event that is lost. */
  readonly isDense: boolean
  /** Returns the id up to which events may exist. */
  head(): Promise<number>
  /** Returns the id of the oldest event that can be sent again. */
  oldest(): Promise<number>
  /** Lists events with after < id <= upTo, oldest first. */
  list(after: number, upTo: number): Promise<EventPage<Event>>
  /** Counts the events with after < id <= upTo that pass the filter, for as long as `mayGoOn` returns true. */
  countPassing(filter: Filter, after: number, upTo: number, mayGoOn: () => boolean): Promise<number>
  passes(filter: Filter, event: Event): boolean
  frameOf(event: Event): Frame
}

export interface EventPage<Event> {
  events: readonly Event[]
  /** The id up to which these are all events. */
  reached: number
}
