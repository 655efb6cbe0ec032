// Measures what 5,000 open windows take of a web process on PostgreSQL, with a server that it starts:
// node --import tsx tools/bench/programs/open-windows.ts
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../../src/server/config'
import { readChanges } from '../../../src/server/db/change-topics'
import { migrateToLatest } from '../../../src/server/db/migrate'
import { openPostgres } from '../../../src/server/db/postgres/open-postgres'
import { createChangeWatch } from '../../../src/server/features/operations/live/change-watch'
import { createSignedInReader } from '../../../src/server/features/people/accounts/signed-in'
import { startPostgresServer } from '../../../src/server/testing/servers/postgres-server'
import { openTestDeps } from '../../../src/server/testing/stages/test-deps'
import { measureWindows, WINDOWS_MS } from '../windows'

const folder = await mkdtemp(join(tmpdir(), 'stockbridge-windows-'))
const own = await openTestDeps(readConfig({ DATA_DIR: folder }))
own.clock.advance(Date.now() - own.clock.now())
const server = await startPostgresServer({ isDurable: true })
try {
  const address = server.toUrl('postgres')
  const db = openPostgres(address, () => undefined)
  await migrateToLatest(db)
  const changes = createChangeWatch((since) => readChanges(db, since))
  const deps = { ...own, db, changes, signedIn: createSignedInReader(db, own.clock) }
  const { quiet, busy, itemsPerSecond } = await measureWindows(deps, address, WINDOWS_MS)
  const shares = `${quiet.toFixed(1)} % while nothing changes, ${busy.toFixed(1)} % with changes`
  process.stdout.write(`${shares}, ${itemsPerSecond.toFixed(0)} items a second\n`)
  await db.destroy()
} finally {
  await server.close()
  await own.close()
  await rm(folder, { recursive: true, force: true })
}
