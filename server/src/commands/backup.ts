import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreBackup, writeBackup } from '../backup/backup.ts'
import { systemClock } from '../clock.ts'
import { OperatorError, readConfig } from '../config.ts'
import { checkUsed } from '../data-folder.ts'
import { FolderInUse } from '../store/engines/sqlite.ts'

/** `mintick backup FILE`: backs up the embedded store, also while the service runs. */
export async function backupCommand(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const file = fileOf(positionals, 'backup')
  const config = readConfig()
  if (config.DATABASE_URL !== undefined) return explainPostgres(POSTGRES_BACKUP)
  checkUsed(config.DATA_DIR)
  process.umask(0o077)
  const { accounts, charges, secrets } = await writeBackup(config.DATA_DIR, file, systemClock.now())
  process.stdout.write(`Wrote ${file}: ${accounts} accounts and ${charges} charges, checked and audited\n`)
  if (!secrets.includes('key-pepper')) {
    process.stdout.write('KEY_PEPPER is not in it: keep its value as well, since no API key works without it\n')
  }
}

/** `mintick restore FILE`: puts a backup into DATA_DIR. */
export async function restoreCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  })
  const file = fileOf(positionals, 'restore')
  const config = readConfig()
  if (config.DATABASE_URL !== undefined) return explainPostgres(POSTGRES_RESTORE)
  checkUsed(config.DATA_DIR)
  process.umask(0o077)
  const now = systemClock.now()
  const report = await restoreBackup(file, config.DATA_DIR, { force: values.force, now }).catch((error: unknown) => {
    throw error instanceof FolderInUse ? new OperatorError(`DATA_DIR: ${error.message}`) : error
  })
  const { createdAt, accounts, charges, aside, secrets } = report
  process.stdout.write(
    `Restored the backup of ${createdAt} into ${config.DATA_DIR}: ${accounts} accounts and ${charges} charges, checked and audited\n`,
  )
  if (aside !== undefined) process.stdout.write(`The files that were there are in ${aside}\n`)
  if (!secrets.includes('key-pepper')) {
    process.stdout.write('The backup has no key pepper: set KEY_PEPPER to the value of its service\n')
  }
}

function fileOf(positionals: readonly string[], command: string): string {
  const [file, extra] = positionals
  if (file === undefined || extra !== undefined)
    throw new OperatorError(`${command} needs one file; see "mintick help"`)
  return resolve(file)
}

/** Fails, because nothing was done. */
function explainPostgres(text: string): void {
  process.stderr.write(text)
  process.exitCode = 1
}

const POSTGRES_BACKUP = `mintick: the data is in PostgreSQL, so use its own tools, also while the service runs:

  umask 077                                                             # the dump contains email addresses and request logs
  pg_dump --format=custom --file=mintick.dump "$DATABASE_URL"            # one consistent copy
  pg_restore --list mintick.dump > /dev/null                            # can it be read?

To be able to return to any moment, archive the write-ahead log (archive_mode = on, archive_command = '…' in postgresql.conf)
and take a base backup regularly. It needs a line for replication in pg_hba.conf, and a role with REPLICATION; REPLICATION_URL
is DATABASE_URL with this role:

  pg_basebackup --pgdata=base --format=tar --gzip --checkpoint=fast --dbname="$REPLICATION_URL"

Keep KEY_PEPPER, or the file key-pepper in DATA_DIR, as well: no API key works without it.
`

const POSTGRES_RESTORE = `mintick: the data is in PostgreSQL, so use its own tools. Restore into a new database; the old one stays as it is:

  url() { echo "$DATABASE_URL" | sed -E "s|^([a-z]+://[^/?]*)(/[^?]*)?|\\1/$1|"; }   # DATABASE_URL with another database
  createdb --maintenance-db="$(url postgres)" mintick_restored          # or "create database mintick_restored" as a role that may
  pg_restore --exit-on-error --no-owner --dbname="$(url mintick_restored)" mintick.dump
  url mintick_restored                                                  # the new DATABASE_URL

To return to a moment, unpack the base backup into an empty data folder of PostgreSQL, set restore_command and
recovery_target_time = '2026-01-31 12:00:00+00' in postgresql.conf, create the file recovery.signal and start PostgreSQL.

Stop the service, start it with the new DATABASE_URL and the same KEY_PEPPER, and run "mintick accounts audit".
`
