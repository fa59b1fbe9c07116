import type { AuditRecord, Operator, OperatorScope } from '../model/operators.ts'
import type { AuditTrail } from '../store/operators/audit-trail.ts'

/** Ids and names; anything else in a path, such as an address, may contain a secret. */
const RECORDABLE = /^[\w.@-]{1,100}$/

/** A request with a valid admin token, and its record in the audit trail. */
export class OperatorRequest implements Operator {
  readonly name: string
  readonly scope: OperatorScope
  readonly #trail: AuditTrail
  readonly #onError: (error: unknown) => void
  readonly #record: AuditRecord
  #seq: number | undefined

  constructor(
    { name, scope }: Operator,
    request: Pick<AuditRecord, 'requestId' | 'method' | 'route' | 'createdAt'> & { target: string | undefined },
    trail: AuditTrail,
    onError: (error: unknown) => void,
  ) {
    this.name = name
    this.scope = scope
    this.#trail = trail
    this.#onError = onError
    this.#record = { ...request, token: name, target: null, summary: null, statusCode: null }
    if (request.target !== undefined) this.concerns(request.target)
  }

  /** Names the target of the request, if the path does not. */
  concerns(target: string): void {
    this.#record.target = RECORDABLE.test(target) ? target.toLowerCase() : null
  }

  /** Writes the request down before it takes effect: nothing happens if this fails. */
  async begin(summary: string | null): Promise<void> {
    this.#record.summary = summary
    this.#seq = await this.#trail.add(this.#record)
  }

  /** Notes that the request repeats an earlier one, whose answer it gets without a second effect. */
  repeats(): void {
    this.#record.summary = ['repeated', this.#record.summary].filter(Boolean).join(': ')
  }

  /** Writes the outcome down. A request that was not written down before is so only if it failed. */
  async end(statusCode: number): Promise<void> {
    const record = { ...this.#record, statusCode }
    try {
      if (this.#seq !== undefined) await this.#trail.finish(this.#seq, record)
      else if (statusCode >= 400) await this.#trail.add(record)
    } catch (error) {
      // The effect cannot be undone. Its record stays without a status.
      this.#onError(error)
    }
  }
}
