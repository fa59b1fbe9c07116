import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { onEveryEngine, serviceForSuite } from '../../test/harness.ts'
import { loggedRequest } from '../../test/logged-request.ts'
import { type DownloadWire, WireBroken } from '../http/download.ts'
import { Entry } from '../model/entries.ts'
import { BLOCK_ROWS, EXPORT_FORMATS } from '../model/exports.ts'
import { BulkExports } from './bulk-exports.ts'
import { Encoding } from './encoding.ts'

const BALANCE = 1_000

/** A connection that breaks once the client has been sent a number of bytes, or leaves after a number of them. */
class BreakingWire implements DownloadWire {
  readonly #breaksAt: number
  readonly #leavesAt: number
  #sent = 0

  constructor({ breaksAt = Infinity, leavesAt = Infinity }: { breaksAt?: number; leavesAt?: number }) {
    this.#breaksAt = breaksAt
    this.#leavesAt = leavesAt
  }

  async write(bytes: Uint8Array, accepted: (part: Uint8Array) => void): Promise<void> {
    for (let start = 0; start < bytes.length; start += 1_000) {
      if (this.#sent >= this.#breaksAt) throw new WireBroken('disconnected')
      const part = bytes.subarray(start, start + 1_000)
      this.#sent += part.length
      accepted(part)
    }
  }

  check(): void {
    if (this.#sent >= Math.min(this.#breaksAt, this.#leavesAt)) throw new WireBroken('disconnected')
  }

  end(): void {}
  cut(): void {}
}

onEveryEngine('charges of an export', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  const encoding = new Encoding()
  let exports: BulkExports
  before(() => {
    const { store, admission, clock } = service.mintick
    exports = new BulkExports({ store, admission, clock, encoding, onError: (error) => assert.fail(String(error)) })
  })
  after(async () => {
    await exports.stop()
    await encoding.close()
  })

  /** Runs an export over a wire. Returns its record, and the account that paid for it. */
  async function run(format: (typeof EXPORT_FORMATS)[number], wire: DownloadWire, hasLeft = false) {
    const { store, admission, clock } = service.mintick
    const account = await service.open('enterprise', BALANCE)
    const caller = await admission.callers.authenticate(`Bearer ${account.key}`, '127.0.0.1')
    const line = loggedRequest({
      id: randomUUID(),
      accountId: account.id,
      apiKeyId: caller.key.id,
      createdAt: clock.now(),
      endpoint: 'GET /export/entries',
      credits: 0,
    })
    const toLogged = (responseBytes: number) => ({ ...line, responseBytes })
    const download = await exports.open(caller, {
      request: { isHead: false, address: '127.0.0.1', toLogged, hasLeft: () => hasLeft },
      dataset: 'entries',
      schema: Entry,
      format,
      selection: undefined,
      blockCost: 1,
      walk: await store.entries.walk({ filters: {}, sort: 'createdAt:desc', after: undefined }),
      limit: 700,
      isContinued: false,
    })
    await download.send(wire)
    return { account, record: (await store.bulkExports.find(account.id, line.id)) ?? assert.fail() }
  }

  test('wherever the connection breaks, the rows of the record are those that were charged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EXPORT_FORMATS),
        fc.integer({ min: 0, max: 400_000 }),
        fc.boolean(),
        async (format, place, isBetween) => {
          const wire = new BreakingWire(isBetween ? { leavesAt: place } : { breaksAt: place })
          const { account, record } = await run(format, wire)
          assert.ok(['disconnected', 'complete'].includes(record.status))
          assert.equal(record.credits, Math.ceil(record.rows / BLOCK_ROWS))
          assert.equal(await service.balance(account.id), BALANCE - record.credits)
          if (record.status === 'complete') assert.equal(record.rows, 700)
        },
      ),
      { numRuns: runs(20, 200) },
    )
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('a client that leaves within the first row group of a Parquet file has the rows it paid for', async () => {
    const { account, record } = await run('parquet', new BreakingWire({ breaksAt: 1_000 }))
    assert.deepEqual([record.status, record.rows, record.credits, record.bytes], ['disconnected', 700, 7, 1_000])
    assert.equal(await service.balance(account.id), BALANCE - 7)
  })

  test('rows of which no byte was sent are not charged', async () => {
    const { record } = await run('ndjson', new BreakingWire({ leavesAt: 1 }))
    assert.deepEqual([record.status, record.rows, record.credits], ['disconnected', 100, 1])
    await assert.rejects(run('parquet', new BreakingWire({}), true), { statusCode: 499 })
    assert.equal(await service.mintick.store.audit.run().then(({ problems }) => problems.length), 0)
  })

  test('the log has the request with the first charge, and its credits as they grow', async () => {
    const wire = new BreakingWire({})
    const seen: number[] = []
    const write = wire.write.bind(wire)
    let accountId = ''
    const credits = async () => {
      const { data } = await service.mintick.store.requestLog.page(accountId, {}, 10, 0)
      assert.equal(data.length, 1)
      return data[0]?.credits ?? 0
    }
    wire.write = async (bytes, accepted) => {
      const accounts = await service.mintick.store.accounts.page(1_000, 0)
      accountId = accounts.data.toSorted((one, other) => other.createdAt - one.createdAt)[0]?.id ?? ''
      seen.push(await credits())
      await write(bytes, accepted)
    }
    service.clock.advance(1_000)
    const { record } = await run('csv', wire)
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7])
    assert.equal(await credits(), record.credits)
  })
})
