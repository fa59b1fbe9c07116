import type {
  ObjectFilter,
  PendingDelivery,
  SandboxStorage,
  StorageTransaction,
  StoredObject,
  StoredResponse,
} from './storage.ts'

interface State {
  /** In the order of insertion. */
  objects: Map<string, StoredObject>
  deliveries: Map<string, Omit<PendingDelivery, 'document'> & { next_at: number }>
  responses: Map<string, StoredResponse & { created_at: number }>
}

/** Storage for tests, in the memory of one process. */
export class MemoryStorage implements SandboxStorage {
  #state: State = { objects: new Map(), deliveries: new Map(), responses: new Map() }
  #last: Promise<unknown> = Promise.resolve()

  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#exclusively((state) => work(transactionOn(state)))
  }

  isActionDue = async (now: number) => findDue(this.#state, now, []) !== undefined

  isDeliveryDue = async (now: number) => findDelivery(this.#state, now) !== undefined

  leaseDelivery = (now: number, until: number) =>
    this.#exclusively(({ objects, deliveries }) => {
      const delivery = findDelivery({ deliveries }, now)
      if (delivery === undefined) return undefined
      deliveries.set(delivery.event_id, { ...delivery, next_at: until })
      return { ...delivery, document: objects.get(delivery.event_id)?.document ?? '' }
    })

  removeDelivery = (eventId: string) =>
    this.#exclusively(({ deliveries }) => {
      deliveries.delete(eventId)
    })

  postponeDelivery = (eventId: string, attempts: number, nextAt: number) =>
    this.#exclusively(({ deliveries }) => {
      const delivery = deliveries.get(eventId)
      if (delivery !== undefined) deliveries.set(eventId, { ...delivery, attempts, next_at: nextAt })
    })

  removeOld = ({ responsesBefore, eventsBefore }: { responsesBefore: number; eventsBefore: number }) =>
    this.#exclusively(({ objects, deliveries, responses }) => {
      for (const [key, { created_at }] of responses) if (created_at < responsesBefore) responses.delete(key)
      for (const [id, { kind, created_at }] of objects) {
        if (kind === 'event' && created_at < eventsBefore && !deliveries.has(id)) objects.delete(id)
      }
    })

  /** Runs `work` on a copy after all earlier work, and keeps the copy if it succeeds. */
  #exclusively<T>(work: (state: State) => T | Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const { objects, deliveries, responses } = this.#state
      const copy = { objects: new Map(objects), deliveries: new Map(deliveries), responses: new Map(responses) }
      const done = await work(copy)
      this.#state = copy
      return done
    })
    this.#last = result.catch(() => {})
    return result
  }
}

function transactionOn(state: State): StorageTransaction {
  const { objects, deliveries, responses } = state
  const write = async (object: StoredObject) => {
    objects.set(object.id, object)
  }
  return {
    find: async (id) => objects.get(id),
    insert: write,
    update: write,
    list: async (...query) => list(objects, ...query),
    listNaming: async (id) => [...objects.values()].filter(({ document }) => document.includes(id)),
    findDue: async (now, exceptIds) => findDue(state, now, exceptIds),
    async addDelivery(event_id, now) {
      deliveries.set(event_id, { event_id, attempts: 0, created_at: now, next_at: now })
    },
    async findResponse(key, since) {
      const response = responses.get(key)
      return response !== undefined && response.created_at >= since ? response : undefined
    },
    async saveResponse(key, response, now) {
      responses.set(key, { ...response, created_at: now })
    },
    async removeResponsesNaming(id) {
      for (const [key, { body }] of responses) if (body.includes(id)) responses.delete(key)
    },
  }
}

function list(objects: State['objects'], kind: string, filter: ObjectFilter, limit: number, after?: string) {
  const { labels, created_from = 0, ...fields } = filter
  const ordered = [...objects.values()].filter((object) => object.kind === kind)
  if (filter.created_from !== undefined) ordered.sort((a, b) => a.created_at - b.created_at)
  ordered.reverse()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  const matches = (object: StoredObject) =>
    FILTERS.every((field) => fields[field] === undefined || object[field] === fields[field]) &&
    (labels === undefined || (object.label !== null && labels.includes(object.label))) &&
    object.created_at >= created_from
  return ordered.slice(start).filter(matches).slice(0, limit)
}

const FILTERS = ['customer', 'subscription', 'invoice', 'payment_intent'] as const

function findDue({ objects }: State, now: number, exceptIds: readonly string[]): StoredObject | undefined {
  const rank = ({ kind }: StoredObject) => (kind === 'subscription_schedule' ? 0 : 1)
  return [...objects.values()]
    .filter(({ id, due_at }) => due_at !== null && due_at <= now && !exceptIds.includes(id))
    .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || rank(a) - rank(b))[0]
}

function findDelivery({ deliveries }: Pick<State, 'deliveries'>, now: number) {
  return [...deliveries.values()].filter(({ next_at }) => next_at <= now).sort((a, b) => a.next_at - b.next_at)[0]
}
