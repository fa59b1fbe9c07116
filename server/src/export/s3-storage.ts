import { createHash, createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import type { BuiltFile, ExportStorage } from './storage.ts'

/** A bucket of a service with the API of S3, by path: the endpoint, then the bucket. */
export interface Bucket {
  /** Such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const NOTHING = sha256('')

/** Keeps files in a bucket. Requests are signed by Signature Version 4. */
export class S3Storage implements ExportStorage {
  readonly #bucket: Bucket
  readonly #clock: Clock

  constructor(bucket: Bucket, clock: Clock) {
    this.#bucket = bucket
    this.#clock = clock
  }

  async put(name: string, file: BuiltFile): Promise<void> {
    const body = Readable.toWeb(createReadStream(file.path)) as ReadableStream<Uint8Array>
    const headers = { 'content-length': String(file.bytes), 'content-type': 'application/vnd.apache.parquet' }
    const response = await this.#send('PUT', name, file.sha256, headers, body)
    await expect(response, name, 200)
    await response.body?.cancel()
  }

  async read(name: string, start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    return this.#readPart(name, start, end)
  }

  async *#readPart(name: string, start: number, end: number): AsyncIterable<Uint8Array> {
    // An empty range cannot be asked for.
    if (end < start) return
    const response = await this.#send('GET', name, NOTHING, { range: `bytes=${start}-${end}` })
    await expect(response, name, 206)
    if (response.body !== null) yield* response.body
  }

  async remove(name: string): Promise<void> {
    const response = await this.#send('DELETE', name, NOTHING, {})
    await expect(response, name, 204, 404)
    await response.body?.cancel()
  }

  #send(
    method: string,
    name: string,
    contentSha256: string,
    headers: Record<string, string>,
    body?: ReadableStream<Uint8Array>,
  ): Promise<Response> {
    const url = new URL(`${this.#bucket.endpoint}/${this.#bucket.bucket}/${name}`)
    const signed = signatureHeaders(this.#bucket, { method, url, contentSha256, now: this.#clock.now() })
    const streamed = body === undefined ? {} : { body, duplex: 'half' as const }
    return fetch(url, { method, headers: { ...headers, ...signed }, ...streamed })
  }
}

async function expect(response: Response, name: string, ...statuses: number[]): Promise<void> {
  if (statuses.includes(response.status)) return
  const text = (await response.text()).slice(0, 500)
  throw new Error(`the bucket answered ${response.status} to a request for ${name}: ${text}`)
}

/** Returns the headers that sign a request. Names of files need no percent-encoding. */
function signatureHeaders(
  { region, accessKeyId, secretAccessKey }: Bucket,
  { method, url, contentSha256, now }: { method: string; url: URL; contentSha256: string; now: number },
): Record<string, string> {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const signed = { host: url.host, 'x-amz-content-sha256': contentSha256, 'x-amz-date': time }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, url.pathname, '', lines.join(''), names, contentSha256].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  const { host: _, ...headers } = signed
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
