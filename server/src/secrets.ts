import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, MIN_SECRET_LENGTH, OperatorError } from './config.ts'
import type { Store } from './store/store.ts'

const PEPPER_FILE = 'key-pepper'
const TOKEN_FILE = 'admin-token'
/** The files of a data folder with secrets. Each is absent if a setting replaces it. */
export const SECRET_FILES: readonly string[] = [PEPPER_FILE, TOKEN_FILE]

interface Secrets {
  pepper: string
  adminToken: string
}

/**
 * Returns the secrets of the settings, or else those in DATA_DIR, creating missing files readable by their owner only.
 * Fails if the pepper is not that of the store.
 */
export async function loadSecrets(
  config: Pick<Config, 'DATA_DIR' | 'KEY_PEPPER' | 'ADMIN_TOKEN'>,
  store: Store,
): Promise<Secrets> {
  const file = join(config.DATA_DIR, PEPPER_FILE)
  const isNew = config.KEY_PEPPER === undefined && !existsSync(file)
  const pepper = config.KEY_PEPPER ?? readOrCreateSecret(config.DATA_DIR, PEPPER_FILE)
  try {
    await checkPepper(store, pepper)
  } catch (error) {
    // Someone could take it for the pepper of the store. After any other error the store may have it already.
    if (isNew && error instanceof OperatorError) rmSync(file)
    throw error
  }
  return { pepper, adminToken: config.ADMIN_TOKEN ?? readOrCreateSecret(config.DATA_DIR, TOKEN_FILE) }
}

/** Throws if the store's API keys were hashed with another pepper: all of them would be refused. */
async function checkPepper(store: Store, pepper: string): Promise<void> {
  const mark = createHmac('sha256', pepper).update('mintick').digest('base64url')
  if ((await store.metadata.remember('pepper-mark', mark)) !== mark) {
    throw new OperatorError(
      `KEY_PEPPER: the API keys of this store were hashed with another pepper; set KEY_PEPPER to it, or restore the file ${PEPPER_FILE} in DATA_DIR`,
    )
  }
}

/** Returns the admin token kept in a data folder, if there is one. */
export function findAdminToken(folder: string): string | undefined {
  const file = join(folder, TOKEN_FILE)
  return existsSync(file) ? readSecret(file) : undefined
}

function readOrCreateSecret(folder: string, name: string): string {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(file))
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR: cannot create or read the folder (${error instanceof Error ? error.message : error})`,
    )
  }
  return readSecret(file)
}

function readSecret(file: string): string {
  const secret = readText(file).trim()
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new OperatorError(`${file} must contain at least ${MIN_SECRET_LENGTH} characters; restore it from a backup`)
  }
  return secret
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(
      `${file} must be readable for this user and belong to the one of the service (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
