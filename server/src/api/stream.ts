import type { TObject } from 'typebox'
import { HEARTBEAT_MS, LOG_KEPT_MS } from '../model/streams.ts'
import { HOUR, SECOND } from '../model/time.ts'
import { STREAM_COST } from '../plans/cost.ts'

/** Properties that all stream endpoints share. */
export const STREAM = {
  method: 'GET',
  access: 'key',
  cost: STREAM_COST,
  needs: 'realtime',
  errors: { 503: 'This server is shutting down; `Retry-After` says when to try again.' },
} as const

/** Returns the names of the parameters of a list that its stream does not have. */
export function paramsOnlyOf(list: TObject, stream: TObject): string[] {
  return Object.keys(list.properties).filter((name) => !Object.hasOwn(stream.properties, name))
}

/** Describes a stream of records, with the part that concerns them. */
export function streamDescription(noun: string, events: string): string {
  return [
    'Opening a stream is free; each minute costs credits. The time of all streams of an account is summed, and the rest of a started minute counts for the next stream.',
    `The first event is \`ready\`. ${events} \`heartbeat\` follows every ${HEARTBEAT_MS / SECOND} seconds. Before the service closes the stream, \`closing\` gives the reason and when to reconnect.`,
    `The id of an event is an integer that orders the events; the id of the ${noun} is \`data.${noun}.id\`. To resume, send the id of the last event: missed events are sent first, up to ${LOG_KEPT_MS / HOUR} hours back. \`gap\` names events that are no longer available; if its id is lower than yours, the service was restored from a backup.`,
  ].join(' ')
}
