/** Changes records in a process of its own, so that tests can kill it. Sends a message when it begins. */
import { openPostgres } from '../src/store/engines/postgres.ts'
import { openSqlite } from '../src/store/engines/sqlite.ts'
import { createStore } from '../src/store/store.ts'
import { CHANGES_START, changeSomething } from './changing-records.ts'
import { dice } from './dice.ts'

const [seed = '', folder = '', databaseUrl] = process.argv.slice(2)
const db = databaseUrl === undefined ? openSqlite(folder) : await openPostgres(databaseUrl)
const store = createStore(db)
process.send?.('begins')
await Promise.all(
  [1, 2, 3].map(async (writer) => {
    const roll = dice(Number(seed) * 10 + writer)
    for (let step = 1; ; step += 1)
      await changeSomething(store, db, roll, CHANGES_START + Number(seed) * 1_000_000 + step)
  }),
)
