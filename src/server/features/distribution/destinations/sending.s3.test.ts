import { rm } from 'node:fs/promises'

import { afterEach, expect, it } from 'vitest'

import type { Deps } from '../../../domain/deps'
import { listStoredFiles } from '../../../testing/fixtures/stored-files'
import { openDispatchStage } from '../../../testing/stages/dispatch-stage'
import { openFileMailStage } from '../../../testing/stages/file-mail-stage'
import { sendFiles } from './send-files'

const STOCK = `sku,qty\r\n${Array.from({ length: 50_000 }, (_, row) => `${row},5\r\n`).join('')}`
const LINK = /https:\/\/stock\.example\.com(\/files\/[\w-]+)/

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

/** Deletes what this machine has of the files in the bucket, as if another one had published them. */
async function forgetFiles(deps: Deps) {
  const stored = await listStoredFiles(deps)
  for (const sha256 of stored) await rm(await deps.files.locate(sha256))
  return stored.length
}

it('a file that another machine has put into the bucket is sent to a destination, and again', async () => {
  const stage = await openDispatchStage()
  close = stage.close
  await stage.publish(STOCK)
  expect(await forgetFiles(stage.deps)).toBeGreaterThan(0)
  const destinationId = await stage.add()
  expect(stage.sender.received.map(({ content }) => content === STOCK)).toEqual([true])
  await forgetFiles(stage.deps)
  await stage.deps.db
    .updateTable('destinations')
    .set({ checkAt: stage.deps.clock.now(), sentSha256: null })
    .where('id', '=', destinationId)
    .execute()
  await stage.deps.work()
  expect(stage.sender.received.map(({ content }) => content === STOCK)).toEqual([true, true])
})

/** Sends a mail with a file that this machine does not have. */
async function mailFile(content: string) {
  const stage = await openFileMailStage(content)
  close = stage.close
  await forgetFiles(stage.deps)
  await stage.putDispatch(0)
  await stage.deps.db.updateTable('dispatches').set({ nextAttemptAt: 0 }).execute()
  await sendFiles(stage.deps, 'quick', new AbortController().signal)
  const [dispatch] = await stage.deps.db.selectFrom('dispatches').selectAll().execute()
  expect(dispatch).toMatchObject({ status: 'sent', answer: 'Sent to 3 people by mail.' })
  return stage
}

it('a mail has a file in the bucket attached', async () => {
  const stage = await mailFile(STOCK)
  expect(stage.attachedTo('ada').text === STOCK).toBe(true)
})

it('the link of a mail leads to a large file in the bucket', async () => {
  const large = STOCK.repeat(30)
  const stage = await mailFile(large)
  await forgetFiles(stage.deps)
  const [, path = ''] = LINK.exec(stage.mailsTo('ada')[0] ?? '') ?? []
  const { status, text } = await stage.testApp.client().request('GET', path)
  expect([status, text === large]).toEqual([200, true])
})
