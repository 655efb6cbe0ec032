import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { openDeps } from '../../server/deps'
import { LEASE_MS } from '../../server/domain/lease'
import { sendFiles } from '../../server/features/distribution/destinations/send-files'
import { createLogger } from '../../server/observability/logger'
import { openFileMailStage } from '../../server/testing/stages/file-mail-stage'
import { makeDataDir, removeDataDir } from '../support/product'
import { until } from '../support/rest-client'
import { killOnce } from './killed-programs'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeDataDir()
})
afterEach(() => removeDataDir(dataDir))

describe('a process that is killed after the mail server has a file, before that is recorded', () => {
  it('is followed by one that sends it again, marked, with the same Message-ID, to nobody twice who had it', async () => {
    const env = { DATA_DIR: dataDir, MIN_FREE_BYTES: '0', LOG_LEVEL: 'warn' }
    const stage = await openFileMailStage(undefined, readConfig(env))
    const { mails } = stage
    const dispatchId = await stage.putDispatch(0)
    await stage.deps.db.updateTable('dispatches').set({ nextAttemptAt: 0 }).execute()
    // The first two are done; the third has its mail when the process dies.
    const smtp = { SMTP_URL: mails.url, MAIL_FROM: 'stock@example.com' }
    mails.afterEach('say nothing', 3)
    const program = { name: 'failing-file-mail', args: [mails.url] }
    const isKilled = await killOnce(program, dataDir, () =>
      until(
        async () => mails.received.length,
        (count) => count === 3,
      ),
    )
    expect(isKilled).toBe(true)
    mails.afterEach('answer')
    const config = readConfig({ ...env, ...smtp, PUBLIC_URL: 'https://stock.example.com' })
    const { deps: opened, close } = await openDeps(config, createLogger(config))
    const deps = { ...opened, clock: { now: () => Date.now() + LEASE_MS + 1_000 } }
    await sendFiles(deps, 'quick', new AbortController().signal)
    const dispatch = await deps.db
      .selectFrom('dispatches')
      .selectAll()
      .where('id', '=', dispatchId)
      .executeTakeFirstOrThrow()
    await close()
    expect(dispatch).toMatchObject({ status: 'sent', answer: 'Sent to 3 people by mail.' })
    const ids = mails.received.map(({ source }) => /^Message-ID: (\S+)/im.exec(source)?.[1])
    expect([ids.length, new Set(ids).size]).toEqual([4, 3])
    const [, , first, second] = mails.received
    expect(second!.to).toEqual(first!.to)
    expect(first!.source).not.toContain('sent again')
    expect(second!.source).toContain('sent again')
    await stage.close()
  })
})
