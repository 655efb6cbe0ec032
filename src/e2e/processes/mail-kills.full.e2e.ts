import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { allJobs } from '../../server/all-jobs'
import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import { LEASE_MS } from '../../server/domain/lease'
import { createConnection } from '../../server/features/catalogue/connections/connections'
import {
  listFiles,
  openConnectionFile,
} from '../../server/features/catalogue/versions/connection-files'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../server/features/operations/scheduling/claim-due-work'
import type { UserRecord } from '../../server/features/people/accounts/users.queries'
import {
  allowSenders,
  createMailInbox,
} from '../../server/features/publication/mailed-files/mail-inboxes'
import { listMails } from '../../server/features/publication/mailed-files/mails'
import { receiveMail } from '../../server/features/publication/mailed-files/receive-mail'
import { listReceivedFiles } from '../../server/features/publication/received-files/received-files'
import { createLogger } from '../../server/observability/logger'
import { createSupplierUser } from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { CSV, toBody, writeMail } from '../../server/testing/fixtures/mails'
import { findBrokenFiles } from '../../server/testing/fixtures/stored-files'
import { openInlineReader } from '../../server/testing/stages/reader-inline'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import { makeDataDir, removeDataDir } from '../support/product'
import { recoverFromEachKill, killBeforeStep } from './killed-programs'

describe.each([
  ['of an allowed sender', ['stock@acme.example'], 'taken'],
  ['of somebody else', [], 'waiting'],
] as const)('a mail %s, of which the process is killed before any step', (_, allowed, settled) => {
  let template: string
  let supplier: UserRecord
  let connectionId: number
  let recipient: string

  const configOf = (dataDir: string) =>
    readConfig({
      DATA_DIR: dataDir,
      MAIL_INBOX_DOMAIN: 'in.example.com',
      MIN_FREE_BYTES: '0',
      LOG_LEVEL: 'warn',
    })

  beforeAll(async () => {
    template = await makeDataDir()
    const deps = await openTestDeps(configOf(template))
    supplier = await createSupplierUser(deps)
    const settings = { name: 'Stock', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 } as const
    const input = { ...settings, config: {}, isActive: true }
    connectionId = (await createConnection(deps, supplier, input)).id
    recipient = (await createMailInbox(deps, supplier, connectionId)).address
    await allowSenders(deps, supplier, { id: connectionId, allowedSenders: [...allowed] })
    await deps.close()
  })
  afterAll(() => removeDataDir(template))

  async function receiveUntil(last?: string) {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    const run = await killBeforeStep({ name: 'failing-mail', args: [recipient] }, dataDir, last)
    return { ...run, dataDir }
  }

  /** Sends it again, as a mail server does that got no answer, once the leases of the killed process have expired. */
  async function recover(dataDir: string, step: string) {
    const config = configOf(dataDir)
    const { deps: opened, close } = await openDeps(config, createLogger(config))
    await opened.readers.close()
    opened.readers = openInlineReader(config, Date.now)
    const deps = { ...opened, clock: { now: () => Date.now() + LEASE_MS + 1_000 } }
    expect(await findBrokenFiles(deps), step).toEqual([])
    const { signal } = new AbortController()
    const body = toBody(writeMail({ above: ['Received: once more'] }))
    expect(await receiveMail(deps, { recipient, body, signal }), step).toBe(settled)
    deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
    await claimDueWork(deps)
    await deps.queue.idle()
    await cleanStorage(deps, signal)
    const mails = await listMails(deps, supplier, connectionId)
    expect(
      mails.map(({ state }) => state),
      step,
    ).toEqual([settled])
    const received = await listReceivedFiles(deps, supplier, connectionId)
    const isTaken = settled === 'taken'
    expect(
      received.map(({ state }) => state),
      step,
    ).toEqual(isTaken ? ['published'] : [])
    const [file] = (await listFiles(deps, supplier, connectionId)).files
    const opening =
      file &&
      (await openConnectionFile(deps, supplier, { id: connectionId, fileName: file.fileName }))
    const published = opening && (await text(await deps.files.read(opening.sha256)))
    expect(published, step).toBe(isTaken ? CSV : undefined)
    expect(await readdir(join(dataDir, 'files/drafts')), step).toEqual([])
    await close()
  }

  it(
    'is neither lost nor read twice',
    async () => {
      const kills = await recoverFromEachKill(receiveUntil, recover)
      expect(kills).toBeGreaterThan(10)
      figure(
        'crashes',
        `a mail that is ${settled}, killed before a step`,
        `0 of ${kills} lost`,
        '0',
      )
    },
    rounds(10 * MINUTE_MS, 2 * HOUR_MS),
  )
})
