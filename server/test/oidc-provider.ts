import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
const encode = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url')

/** A provider of OpenID Connect for tests: discovery, the code flow with PKCE, and signed identities. */
export async function startOidcProvider({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const keys = newKeys()
  const codes = new Map<string, { params: URLSearchParams; claims: object }>()
  const state = { signingKey: keys.privateKey as KeyObject, isDown: false, tokenRequests: 0 }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://provider')
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (state.isDown) send(500, {})
    else if (pathname === '/.well-known/openid-configuration') send(200, discovery())
    else if (pathname === '/jwks') {
      send(200, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] })
    } else if (pathname === '/token') await answerToken(request, send)
    else send(404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`

  const discovery = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  })

  async function answerToken(request: IncomingMessage, send: (status: number, body: object) => void) {
    state.tokenRequests += 1
    const form = new URLSearchParams(await text(request))
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      code?.params.get('code_challenge') === challenge &&
      code.params.get('redirect_uri') === form.get('redirect_uri') &&
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret
    if (code === undefined || !isRight) return send(400, { error: 'invalid_grant' })
    send(200, { access_token: 'unused', token_type: 'Bearer', id_token: idToken(code) })
  }

  function idToken({ params, claims }: { params: URLSearchParams; claims: object }): string {
    const now = Math.floor(Date.now() / 1_000)
    const payload = { iss: url, aud: clientId, iat: now, exp: now + 300, nonce: params.get('nonce'), ...claims }
    const signed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(payload)}`
    return `${signed}.${encode(sign('sha256', Buffer.from(signed), state.signingKey))}`
  }

  return {
    url,
    /** Lets the user of an address of /authorize in. Returns the query with which the browser is sent back. */
    approve(location: string, claims: object): string {
      const { searchParams } = new URL(location)
      const code = randomUUID()
      codes.set(code, { params: searchParams, claims })
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
    },
    /** Signs identities with a key that is not published, or again with the right one. */
    forge(isForged: boolean) {
      state.signingKey = isForged ? newKeys().privateKey : keys.privateKey
    },
    setDown(isDown: boolean) {
      state.isDown = isDown
    },
    tokenRequests: () => state.tokenRequests,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
