/** The stores of the bench: folders, and with `--database` a database for each of them on that server. */
import { hash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import pg from 'pg'

let server: string | undefined
const places = new Set<string>()

/** Keeps the stores in databases of a PostgreSQL server. */
export function useServer(url: string): void {
  server = url
}

/** Returns the settings of the store of a folder. Creates both if needed. */
export async function storeAt(place: string): Promise<Record<string, string>> {
  mkdirSync(place, { recursive: true })
  if (server === undefined) return { DATA_DIR: place }
  const isKnown = await onServer(`select 1 from pg_database where datname = '${databaseOf(place)}'`)
  if (isKnown.length === 0) await onServer(`create database ${databaseOf(place)}`)
  places.add(place)
  return { DATA_DIR: place, DATABASE_URL: new URL(`/${databaseOf(place)}`, server).href }
}

export async function removeStore(place: string): Promise<void> {
  rmSync(place, { recursive: true, force: true })
  if (server !== undefined) await onServer(`drop database if exists ${databaseOf(place)} with (force)`)
  places.delete(place)
}

/** Removes the stores of this run that are left. */
export async function removeStores(): Promise<void> {
  for (const place of places) await removeStore(place)
}

/** Sections may have places of the same name. */
const databaseOf = (place: string) =>
  `bench_${basename(place).toLowerCase().replaceAll(/\W/g, '_')}_${hash('sha256', resolve(place)).slice(0, 8)}`

async function onServer(sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
