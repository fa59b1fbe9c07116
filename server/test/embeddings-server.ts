import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Words that this model treats as synonyms; every other word has its own meaning. */
const MEANINGS = [
  'carmaker automaker vehicles cars car auto',
  'recalls recall withdraws calls back',
  'profit earnings income results',
  'falls drops slides declines sinks',
  'rises climbs jumps gains',
  'crude oil brent',
  'cuts layoffs redundancies jobs staff',
].map((words) => words.split(' '))

const DIMENSIONS = 64

/** Starts a server for the OpenAI embeddings API with a simple, predictable model. */
export async function startEmbeddingsServer() {
  let requests = 0
  let isDown = false
  let surplus = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (isDown) {
      response.writeHead(503).end('down')
      return
    }
    const { input, model }: { input: string[]; model: string } = JSON.parse(Buffer.concat(chunks).toString())
    const data = input.map((text, index) => ({
      index,
      embedding: [...vectorOf(text, model), ...Array<number>(surplus).fill(0)],
    }))
    // Servers may return embeddings in any order.
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: data.reverse(), model }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: () => requests,
    setDown(value: boolean) {
      isDown = value
    },
    /** Appends `value` extra numbers to each vector. */
    setSurplus(value: number) {
      surplus = value
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function vectorOf(text: string, model: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word))
    const place = meaning >= 0 ? meaning : MEANINGS.length + (hash(word) % (DIMENSIONS - MEANINGS.length))
    vector[(place + model.length) % DIMENSIONS] =
      (vector[(place + model.length) % DIMENSIONS] ?? 0) + (meaning >= 0 ? 3 : 1)
  }
  return vector
}

function hash(word: string): number {
  let value = 7
  for (const character of word) value = (value * 31 + character.charCodeAt(0)) % 1_000_003
  return value
}
