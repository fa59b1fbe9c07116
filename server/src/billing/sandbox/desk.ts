import type Stripe from 'stripe'
import { SECOND } from '../../model/time.ts'
import type { SandboxFilter, SandboxRow, SandboxTransaction } from '../../store/sandbox.ts'
import { badParameter, noSuch } from './fault.ts'
import { API_VERSION, type Kept, type Kind, type Kinds, keysOf, type Notes, newId } from './objects.ts'
import type { PageParams } from './params.ts'

interface Entry {
  object: Kept
  notes: Notes
  dueAt: number | null
  isNew: boolean
  isChanged: boolean
}

const PAGE_SIZE = 10
const PAGE_SIZE_MAX = 100

export interface Page<T> {
  data: T[]
  hasMore: boolean
}

/**
 * The objects as one request sees and changes them. Each is here once however often it is asked for, so that two functions
 * never work on different copies; what was changed is written by `flush`, at the end and before a list is read.
 */
export class Desk {
  /** Seconds, as everywhere in Stripe's objects. What is due by the clock happens at its own moment. */
  readonly now: number
  readonly publicUrl: string
  readonly #tx: SandboxTransaction
  readonly #request: Stripe.Event.Request
  readonly #deliverFrom: number
  readonly #webhookEvents: readonly string[] | undefined
  readonly #entries = new Map<string, Entry>()
  #events = 0

  constructor(
    tx: SandboxTransaction,
    parts: {
      now: number
      clockMs: number
      publicUrl: string
      webhookEvents?: readonly string[] | undefined
      request?: Stripe.Event.Request
    },
  ) {
    this.#tx = tx
    this.now = parts.now
    this.publicUrl = parts.publicUrl
    this.#deliverFrom = parts.clockMs
    this.#webhookEvents = parts.webhookEvents
    this.#request = parts.request ?? { id: null, idempotency_key: null }
  }

  get hasEvents(): boolean {
    return this.#events > 0
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
    const object = await this.findAny(id)
    return object?.object === kind ? (object as Kinds[K]) : undefined
  }

  /** `param` is the parameter that named it, if it was not the address. */
  async get<K extends Kind>(kind: K, id: string, param?: string): Promise<Kinds[K]> {
    const object = await this.find(kind, id)
    if (object === undefined) throw noSuch(kind, id, param)
    return object
  }

  async findAny(id: string): Promise<Kept | undefined> {
    const known = this.#entries.get(id)
    if (known !== undefined) return known.object
    const row = await this.#tx.find(id)
    return row && this.#take(row)
  }

  async list<K extends Kind>(kind: K, filter: SandboxFilter, page?: PageParams): Promise<Page<Kinds[K]>> {
    const limit = page?.limit ?? PAGE_SIZE
    if (limit < 1 || limit > PAGE_SIZE_MAX) {
      throw badParameter('limit', `This value must be between 1 and ${PAGE_SIZE_MAX}.`)
    }
    if (page?.starting_after !== undefined) await this.get(kind, page.starting_after, 'starting_after')
    await this.flush()
    const rows = await this.#tx.list(kind, filter, limit + 1, page?.starting_after)
    return { data: rows.slice(0, limit).map((row) => this.#take(row) as Kinds[K]), hasMore: rows.length > limit }
  }

  /** All of them, the newest first: for what one customer or one payment has, which is never much. */
  async all<K extends Kind>(kind: K, filter: SandboxFilter): Promise<Kinds[K][]> {
    await this.flush()
    return (await this.#tx.list(kind, filter, 1_000)).map((row) => this.#take(row) as Kinds[K])
  }

  add<T extends Kept>(object: T, notes: Notes = {}, dueAt: number | null = null): T {
    this.#entries.set(object.id, { object, notes, dueAt, isNew: true, isChanged: true })
    return object
  }

  /** To be called after every change of an object. */
  save(object: Kept): void {
    this.#entry(object).isChanged = true
  }

  notes(object: Kept): Readonly<Notes> {
    return this.#entry(object).notes
  }

  note(object: Kept, notes: Notes): void {
    const entry = this.#entry(object)
    Object.assign(entry.notes, notes)
    entry.isChanged = true
  }

  /** When something is to happen to the object by itself, in seconds. */
  wake(object: Kept, dueAt: number | null): void {
    const entry = this.#entry(object)
    entry.dueAt = dueAt
    entry.isChanged = true
  }

  /** The event has the object as it is now, and is sent when all of this is committed. */
  emit(type: Stripe.Event.Type, object: Kept, previous?: Record<string, unknown>): void {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now,
      data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
      livemode: false,
      pending_webhooks: 1,
      request: this.#request,
      type,
    } as Stripe.Event
    this.add(event)
    this.#events += 1
  }

  async flush(): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (!entry.isChanged) continue
      const row = toRow(entry)
      if (entry.isNew) await this.#tx.insert(row)
      else await this.#tx.update(row)
      if (entry.isNew && this.#isDelivered(entry.object)) await this.#tx.addDelivery(row.id, this.#deliverFrom)
      entry.isNew = false
      entry.isChanged = false
    }
  }

  #isDelivered(object: Kept): boolean {
    return object.object === 'event' && (this.#webhookEvents?.includes(object.type) ?? true)
  }

  #take(row: SandboxRow): Kept {
    const known = this.#entries.get(row.id)
    if (known !== undefined) return known.object
    const object: Kept = JSON.parse(row.document)
    const dueAt = row.due_at === null ? null : row.due_at / SECOND
    this.#entries.set(row.id, { object, notes: JSON.parse(row.notes), dueAt, isNew: false, isChanged: false })
    return object
  }

  #entry(object: Kept): Entry {
    const entry = this.#entries.get(object.id)
    if (entry?.object !== object) throw new Error(`${object.id} is a copy`)
    return entry
  }
}

function toRow({ object, notes, dueAt }: Entry): SandboxRow {
  return {
    id: object.id,
    kind: object.object,
    document: JSON.stringify(object),
    notes: JSON.stringify(notes),
    created_at: object.created * SECOND,
    ...keysOf(object),
    due_at: dueAt === null ? null : dueAt * SECOND,
  }
}
