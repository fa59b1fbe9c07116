/**
 * The storage that the sandbox needs. Times are epoch milliseconds. Fields have Stripe's spelling, so that they can be the
 * columns of a table.
 */
export interface SandboxStorage {
  /**
   * Runs `work` and commits its changes, or undoes them all if it throws. Transactions run one after the other, also those
   * of other processes that share the storage.
   */
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T>
  isActionDue(now: number): Promise<boolean>
  isDeliveryDue(now: number): Promise<boolean>
  /** Returns a delivery that is due and makes it due again at `until`, so that no other process sends it meanwhile. */
  leaseDelivery(now: number, until: number): Promise<PendingDelivery | undefined>
  removeDelivery(eventId: string): Promise<void>
  postponeDelivery(eventId: string, attempts: number, nextAt: number): Promise<void>
  /** Removes old responses, and old events that are delivered. */
  removeOld(limits: { responsesBefore: number; eventsBefore: number }): Promise<void>
}

export interface StorageTransaction {
  find(id: string): Promise<StoredObject | undefined>
  insert(object: StoredObject): Promise<void>
  update(object: StoredObject): Promise<void>
  /**
   * Returns the newest objects first, from the one that follows the object `after`. The order is that of insertion; with
   * `created_from`, that of `created_at` and then of insertion.
   */
  list(kind: string, filter: ObjectFilter, limit: number, after?: string): Promise<StoredObject[]>
  /** Returns the objects whose document contains the id. */
  listNaming(id: string): Promise<StoredObject[]>
  /**
   * Returns the object whose `due_at` is the earliest up to `now`. Of those at the same moment, subscription schedules come
   * first, because they set the price of a renewal; then the order is that of insertion.
   */
  findDue(now: number, exceptIds: readonly string[]): Promise<StoredObject | undefined>
  addDelivery(eventId: string, now: number): Promise<void>
  findResponse(idempotencyKey: string, since: number): Promise<StoredResponse | undefined>
  /** Replaces an older response with the same key. */
  saveResponse(idempotencyKey: string, response: StoredResponse, now: number): Promise<void>
  /** Removes the responses whose body contains the id. */
  removeResponsesNaming(id: string): Promise<void>
}

export interface StoredObject extends IndexedFields {
  id: string
  /** Stripe's name of the type, such as `checkout.session`. */
  kind: string
  /** The object as the API returns it, in JSON. */
  document: string
  /** State that the API does not show, in JSON. */
  notes: string
  created_at: number
  /** The time of the object's next timed action: an expiry, a renewal, a payment attempt. */
  due_at: number | null
}

/** Fields by which objects are listed. */
export interface IndexedFields {
  customer: string | null
  subscription: string | null
  invoice: string | null
  payment_intent: string | null
  /** The lookup key of a price, which is unique among prices, or the type of an event. */
  label: string | null
}

export interface ObjectFilter {
  customer?: string | undefined
  subscription?: string | undefined
  invoice?: string | undefined
  payment_intent?: string | undefined
  labels?: readonly string[] | undefined
  created_from?: number | undefined
}

/** An event that its receiver has not accepted yet. */
export interface PendingDelivery {
  event_id: string
  attempts: number
  created_at: number
  /** The event, in JSON. */
  document: string
}

/** The response to a request with an idempotency key. */
export interface StoredResponse {
  /** A digest of the request. */
  request: string
  status: number
  body: string
}
