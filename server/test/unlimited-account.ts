export const NO_LIMITS = {
  requestsPerMinute: 1e9,
  requestsPerHour: 1e9,
  requestsPerDay: 1e9,
  burst: 1e9,
  realtimeConnections: 1e6,
}

/** Opens an account without rate limits at a running service, through the admin API. */
export async function openAccountOver(
  url: string,
  adminToken: string,
  credits = 1e9,
): Promise<{ id: string; key: string }> {
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken}` }
    const response = await fetch(`${url}/admin${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: { account: { id: string }; apiKey: string } }).data
  }
  const email = `unlimited-${process.pid}-${performance.now()}@test.example`
  const { account, apiKey } = await send('POST', '/accounts', { email, plan: 'custom', credits })
  await send('PATCH', `/accounts/${account.id}`, { overrides: NO_LIMITS })
  return { id: account.id, key: apiKey }
}
