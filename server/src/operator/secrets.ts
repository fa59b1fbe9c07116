import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { OperatorError } from '../config.ts'
import type { Store } from '../store/store.ts'

export interface Secrets {
  pepper: string
  adminToken: string
}

/** The settings' secrets, or those kept in the data folder, made on first use and readable by their owner only. */
export function loadSecrets(config: Pick<Config, 'DATA_DIR' | 'KEY_PEPPER' | 'ADMIN_TOKEN'>): Secrets {
  return {
    pepper: config.KEY_PEPPER ?? keptSecret(config.DATA_DIR, 'key-pepper'),
    adminToken: config.ADMIN_TOKEN ?? keptSecret(config.DATA_DIR, 'admin-token'),
  }
}

/** Keys hashed with another pepper would all be refused; better to say so at the start. */
export async function checkPepper(store: Store, pepper: string): Promise<void> {
  const mark = createHmac('sha256', pepper).update('mintick').digest('base64url')
  if ((await store.facts.remember('pepper-mark', mark)) !== mark) {
    throw new OperatorError('KEY_PEPPER is not the one that the API keys of this store were made with')
  }
}

function keptSecret(folder: string, name: string): string {
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}
