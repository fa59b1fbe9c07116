import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, MIN_SECRET_LENGTH, OperatorError } from './config.ts'
import type { Store } from './store/store.ts'

const PEPPER_FILE = 'key-pepper'
const TOKEN_FILE = 'admin-token'

interface Secrets {
  pepper: string
  adminToken: string
}

/** The settings' secrets, or those kept in the data folder, made on first use and readable by their owner only. */
export function loadSecrets(config: Pick<Config, 'DATA_DIR' | 'KEY_PEPPER' | 'ADMIN_TOKEN'>): Secrets {
  return {
    pepper: config.KEY_PEPPER ?? keptSecret(config.DATA_DIR, PEPPER_FILE),
    adminToken: config.ADMIN_TOKEN ?? keptSecret(config.DATA_DIR, TOKEN_FILE),
  }
}

/** Keys hashed with another pepper would all be refused; better to say so at the start. */
export async function checkPepper(store: Store, pepper: string): Promise<void> {
  const mark = createHmac('sha256', pepper).update('mintick').digest('base64url')
  if ((await store.metadata.remember('pepper-mark', mark)) !== mark) {
    throw new OperatorError(
      `KEY_PEPPER: the API keys of this store were made with another one; set it, or put the file ${PEPPER_FILE} back into DATA_DIR`,
    )
  }
}

/** The token of the service that runs on this data folder. */
export function keptAdminToken(folder: string): string | undefined {
  const file = join(folder, TOKEN_FILE)
  return existsSync(file) ? readSecret(file) : undefined
}

function keptSecret(folder: string, name: string): string {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(file))
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new OperatorError(`DATA_DIR: the folder cannot be used (${error instanceof Error ? error.message : error})`)
  }
  return readSecret(file)
}

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new OperatorError(`${file} must hold at least ${MIN_SECRET_LENGTH} characters`)
  }
  return secret
}
