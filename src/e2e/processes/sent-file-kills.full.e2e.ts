import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, expect, it } from 'vitest'

import { openDatabase } from '../../server/db/open'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import {
  INSTALLED_DESTINATIONS,
  type InstalledDestination,
} from '../../server/testing/stages/installed-destinations'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations'
import type { Dispatch } from '../../shared/schemas/destination'
import { startFileReceiver, type FileReceiver } from '../support/file-receiver'
import { enterInstalled } from '../support/foreign-destinations'
import { listTree } from '../support/process-tree'
import { startSendingProduct, type SendingProduct } from '../support/sending-product'

const NAME = 'inventory.csv'
const SIZE = 10 * 1024 * 1024
/** Approximate time in which it is sent; faults come during it or shortly after. */
const SENDING_MS = 300
/** Longer than a server may say nothing. */
const FROZEN_MS = 20_000
const FAULTS = ['the product', 'the sender', 'the product', 'its server, for a while'] as const

const [{ isThere, start: startSsh }] = INSTALLED_DESTINATIONS as [
  (typeof INSTALLED_DESTINATIONS)[0],
]

let ssh: InstalledDestination
let web: FileReceiver
let stage: SendingProduct
let watcher: NodeJS.Timeout
let pauses: NodeJS.Timeout
afterEach(async () => {
  clearInterval(watcher)
  clearInterval(pauses)
  await stage?.close()
  await ssh?.close()
  await web?.close()
})

/** Looks at the final name all the time; returns the sizes with which it was seen. */
function watch(folder: string): Set<number> {
  const seen = new Set<number>()
  watcher = setInterval(() => {
    if (readdirSync(folder).includes(NAME)) seen.add(statSync(join(folder, NAME)).size)
  }, 2)
  return seen
}

async function killSender() {
  for (const pid of await listTree(stage.product().pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('fetcher.js')) process.kill(pid, 'SIGKILL')
  }
}

/** Kills the product and starts it again, as if the leases of the killed one had run out. */
async function killProduct() {
  await stage.product().stop('SIGKILL')
  const deps = await stage.openStored()
  const ended = { leaseUntil: deps.clock.now(), nextAttemptAt: deps.clock.now() }
  await deps.db.updateTable('dispatches').set(ended).where('status', '=', 'waiting').execute()
  await deps.close()
  await stage.start()
}

/** Has what has failed be tried again at once: after three faults in a row, that would be in ten minutes. */
async function endPauses() {
  const db = openDatabase(`${stage.dataDir}/app.db`)
  await db
    .updateTable('dispatches')
    .set({ nextAttemptAt: Date.now() })
    .where('status', '=', 'waiting')
    .where('leaseToken', 'is', null)
    .execute()
  await db.destroy()
}

async function disturb(fault: (typeof FAULTS)[number]) {
  switch (fault) {
    case 'the product':
      return killProduct()
    case 'the sender':
      return killSender()
    case 'its server, for a while':
      await ssh.freeze()
      await sleep(FROZEN_MS)
      return ssh.thaw()
  }
}

it.skipIf(!isThere)(
  'files that are sent while processes on both sides are killed and frozen come whole, the newest always, and again only as they came',
  async () => {
    ssh = await startSsh()
    web = await startFileReceiver()
    // So that kills come between its having a file and its saying so.
    web.onFile(async (response) => {
      await sleep(SENDING_MS / 3)
      response.writeHead(201).end()
    })
    stage = await startSendingProduct({ FETCH_ALLOW: `${web.host},${new URL(ssh.address).host}` })
    const seen = watch(ssh.folder)
    const toSsh = await stage.add({ name: 'OpenSSH', ...enterInstalled(ssh) })
    const toWeb = await stage.add({
      name: 'Web',
      config: { url: web.url },
      fileName: '{time}_{version}.csv',
    })
    const kills = rounds(8, 120)
    for (let round = 0; round < kills; round++) {
      await stage.publish(SIZE + round * 1_000)
      await sleep(Math.random() * SENDING_MS)
      await disturb(FAULTS[round % FAULTS.length]!)
    }
    const newest = await stage.publish(SIZE - 1_000)
    pauses = setInterval(() => void endPauses(), SECOND_MS)
    const last = await stage.untilSent(toSsh, newest)
    expect((await stage.untilSent(toWeb, newest)).sha256).toBe(last.sha256)
    clearInterval(pauses)
    clearInterval(watcher)

    const arrived = createHash('sha256')
      .update(readFileSync(join(ssh.folder, NAME)))
      .digest('hex')
    expect(arrived).toBe(last.sha256)
    const ledger = await stage.dispatches()
    // What arrived before a kill may be recorded only at the next try, or not any more.
    const sizes = new Set(ledger.map(({ sizeBytes }) => sizeBytes))
    expect([...seen].filter((size) => !sizes.has(size))).toEqual([])
    expect(ledger.filter(({ status }) => status !== 'sent' && status !== 'skipped')).toEqual([])
    const counts = checkReceived(ledger.filter(({ destinationId }) => destinationId === toWeb))
    const repeats = ledger.filter(({ isRepeat }) => isRepeat).length
    expect(repeats).toBeGreaterThan(0)
    const skipped = ledger.filter(({ status }) => status === 'skipped').length
    const measured = `0 half or lost; of ${ledger.length}, ${repeats} repeats, ${skipped} skipped; ${counts} twice at the web address`
    figure('crashes', `files sent to two destinations, ${kills} kills`, measured, '0')
  },
  rounds(10 * MINUTE_MS, 2 * HOUR_MS),
)

/** Compares what the web address has received with what is known of it; returns how many came more than once. */
function checkReceived(ledger: Dispatch[]): number {
  const byKey = Map.groupBy(web.received, ({ headers }) => headers['idempotency-key'])
  for (const files of byKey.values()) {
    const [first] = files
    const known = ledger.find(({ fileName }) => first?.path === `/in/${fileName}`)
    expect(known).toMatchObject({ sizeBytes: first?.sizeBytes, sha256: first?.sha256 })
    expect(files).toEqual(
      files.map((file) => ({ ...file, path: first?.path, sha256: known?.sha256 })),
    )
    const marks = files.slice(1).map(({ headers }) => headers['stockbridge-repeat'])
    expect(marks).toEqual(marks.map(() => 'true'))
  }
  const arrived = new Set(web.received.map(({ path }) => path))
  const sent = ledger.filter(({ status }) => status === 'sent')
  expect(sent.filter(({ fileName }) => !arrived.has(`/in/${fileName}`))).toEqual([])
  return [...byKey.values()].filter(({ length }) => length > 1).length
}
