import type Stripe from 'stripe'
import { SECOND_MS } from './clock.ts'
import { invalidParameter, missingObject } from './errors.ts'
import {
  API_VERSION,
  indexedFields,
  type Notes,
  newId,
  type ObjectKind,
  type ObjectsByKind,
  type SandboxObject,
} from './objects.ts'
import type { PageParams } from './params.ts'
import type { ObjectFilter, StorageTransaction, StoredObject } from './storage.ts'

const PAGE_SIZE = 10
const PAGE_SIZE_MAX = 100
const LIST_ALL_MAX = 1_000

export interface ObjectPage<T> {
  data: T[]
  hasMore: boolean
}

interface Entry {
  object: SandboxObject
  notes: Notes
  dueAt: number | null
  /** The row in storage; undefined while the object is new. */
  stored: StoredObject | undefined
  /** The object in JSON as it was when it was loaded, or at its last event. */
  announced: string
}

/**
 * A unit of work: the objects of one request, their changes and their events, which are written together. Every object is
 * loaded once, so all functions change the same copy; `flush` writes the objects that changed.
 */
export class SandboxTransaction {
  /** Epoch seconds, as in Stripe's objects. For a timed action, the moment at which it was due. */
  readonly now: number
  readonly pagesUrl: string
  hasEvents = false
  readonly #storage: StorageTransaction
  readonly #clockMs: number
  readonly #webhookEvents: readonly string[] | undefined
  readonly #request: Stripe.Event.Request
  readonly #entries = new Map<string, Entry>()

  constructor(
    storage: StorageTransaction,
    context: {
      clockMs: number
      now?: number
      pagesUrl: string
      webhookEvents?: readonly string[] | undefined
      request?: Stripe.Event.Request
    },
  ) {
    this.#storage = storage
    this.now = context.now ?? Math.floor(context.clockMs / SECOND_MS)
    this.pagesUrl = context.pagesUrl
    this.#clockMs = context.clockMs
    this.#webhookEvents = context.webhookEvents
    this.#request = context.request ?? { id: null, idempotency_key: null }
  }

  async findAny(id: string): Promise<SandboxObject | undefined> {
    const known = this.#entries.get(id)
    if (known !== undefined) return known.object
    const row = await this.#storage.find(id)
    return row && this.#load(row)
  }

  async find<K extends ObjectKind>(kind: K, id: string): Promise<ObjectsByKind[K] | undefined> {
    const object = await this.findAny(id)
    return object?.object === kind ? (object as ObjectsByKind[K]) : undefined
  }

  /** Throws if there is no such object; `param` is the parameter that holds the id, if it is not in the URL. */
  async get<K extends ObjectKind>(kind: K, id: string, param?: string): Promise<ObjectsByKind[K]> {
    const object = await this.find(kind, id)
    if (object === undefined) throw missingObject(kind, id, param)
    return object
  }

  async list<K extends ObjectKind>(
    kind: K,
    filter: ObjectFilter,
    { limit = PAGE_SIZE, starting_after }: PageParams,
  ): Promise<ObjectPage<ObjectsByKind[K]>> {
    if (limit < 1 || limit > PAGE_SIZE_MAX) {
      throw invalidParameter('limit', `This value must be between 1 and ${PAGE_SIZE_MAX}.`)
    }
    if (starting_after !== undefined) await this.get(kind, starting_after, 'starting_after')
    const found = await this.#list(kind, filter, limit + 1, starting_after)
    return { data: found.slice(0, limit), hasMore: found.length > limit }
  }

  /** Returns the objects of one customer, payment or subscription, the newest first; there are never many. */
  listAll<K extends ObjectKind>(kind: K, filter: ObjectFilter): Promise<ObjectsByKind[K][]> {
    return this.#list(kind, filter, LIST_ALL_MAX)
  }

  /** Returns all objects that contain the id, their own included. Reads every object. */
  async listNaming(id: string): Promise<SandboxObject[]> {
    await this.flush()
    return (await this.#storage.listNaming(id)).map((row) => this.#load(row))
  }

  removeResponsesNaming(id: string): Promise<void> {
    return this.#storage.removeResponsesNaming(id)
  }

  add<T extends SandboxObject>(object: T, notes: Notes = {}, dueAt: number | null = null): T {
    this.#entries.set(object.id, { object, notes, dueAt, stored: undefined, announced: '{}' })
    return object
  }

  notes(object: SandboxObject): Readonly<Notes> {
    return this.#entry(object).notes
  }

  setNotes(object: SandboxObject, notes: Notes): void {
    Object.assign(this.#entry(object).notes, notes)
  }

  /** Sets the time of the object's next timed action, in epoch seconds. */
  setDueAt(object: SandboxObject, dueAt: number | null): void {
    this.#entry(object).dueAt = dueAt
  }

  /** Adds an event with the object as it is now. It is sent after the commit. */
  emit(type: Stripe.Event.Type, object: SandboxObject, previous?: Record<string, unknown>): void {
    const announced = JSON.stringify(object)
    this.#entry(object).announced = announced
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now,
      data: { object: JSON.parse(announced), ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 1,
      request: this.#request,
      type,
    } as Stripe.Event
    this.add(event)
    this.hasEvents = true
  }

  /** Adds an event with the previous values of the changed fields, if any changed since the object's last event. */
  emitUpdate(type: Stripe.Event.Type, object: SandboxObject): void {
    const before: Record<string, unknown> = JSON.parse(this.#entry(object).announced)
    const changed = Object.entries(object).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
    )
    if (changed.length > 0) this.emit(type, object, Object.fromEntries(changed.map(([key]) => [key, before[key]])))
  }

  /** Writes new and changed objects. */
  async flush(): Promise<void> {
    for (const entry of this.#entries.values()) {
      const { stored } = entry
      const row = toRow(entry)
      if (stored === undefined) {
        await this.#storage.insert(row)
        if (this.#isDelivered(entry.object)) await this.#storage.addDelivery(row.id, this.#clockMs)
      } else if (row.document !== stored.document || row.notes !== stored.notes || row.due_at !== stored.due_at) {
        await this.#storage.update(row)
      }
      entry.stored = row
    }
  }

  async #list<K extends ObjectKind>(kind: K, filter: ObjectFilter, limit: number, after?: string) {
    await this.flush()
    const rows = await this.#storage.list(kind, filter, limit, after)
    return rows.map((row) => this.#load(row) as ObjectsByKind[K])
  }

  #isDelivered(object: SandboxObject): boolean {
    return object.object === 'event' && (this.#webhookEvents?.includes(object.type) ?? true)
  }

  #load(row: StoredObject): SandboxObject {
    const known = this.#entries.get(row.id)
    if (known !== undefined) return known.object
    const object: SandboxObject = JSON.parse(row.document)
    const dueAt = row.due_at === null ? null : row.due_at / SECOND_MS
    this.#entries.set(row.id, { object, notes: JSON.parse(row.notes), dueAt, stored: row, announced: row.document })
    return object
  }

  #entry(object: SandboxObject): Entry {
    const entry = this.#entries.get(object.id)
    if (entry?.object !== object) throw new Error(`${object.id} is a copy, and changes to it would be lost`)
    return entry
  }
}

function toRow({ object, notes, dueAt }: Entry): StoredObject {
  return {
    id: object.id,
    kind: object.object,
    document: JSON.stringify(object),
    notes: JSON.stringify(notes),
    created_at: object.created * SECOND_MS,
    ...indexedFields(object),
    due_at: dueAt === null ? null : dueAt * SECOND_MS,
  }
}
