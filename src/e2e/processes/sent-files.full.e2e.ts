import { createHash } from 'node:crypto'

import { afterEach, describe, expect, it } from 'vitest'

import { figure, rounds, secondsSince } from '../../server/testing/fixtures/figures'
import { findFreePort } from '../../server/testing/servers/free-port'
import { startMailServer } from '../../server/testing/servers/mail-server'
import { FOREIGN_DESTINATIONS, type ForeignDestination } from '../support/foreign-destinations'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { until } from '../support/rest-client'
import { hashOf, startSendingProduct, type SendingProduct } from '../support/sending-product'
import { toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
const MINUTES = 60_000
const LARGE = rounds(100 * MB, 1024 * MB)
/** The pieces on their way, in the process that has the network and in the one that has the files. */
const MOST_MORE = 96 * MB

/** The bytes of an attached file in base64. */
const ATTACHED = /Content-Disposition: attachment[^]*?\r\n\r\n([\w+/=\r\n]+)\r\n--/

let server: ForeignDestination | undefined
let stage: SendingProduct | undefined
afterEach(async () => {
  await stage?.close()
  await server?.close()
})

describe.each(FOREIGN_DESTINATIONS)('$name', ({ name, isThere, open }) => {
  it.skipIf(!isThere)(
    'gets each version whole, with the bytes of the feed address, in constant memory',
    async () => {
      server = await open()
      const running = await startSendingProduct(server.env)
      stage = running
      const id = await running.add({ name, ...server.entered })
      for (const sizeBytes of [1_024, LARGE, 1_024]) {
        const version = await running.publish(sizeBytes)
        const sent = await running.untilSent(id, version, 10 * MINUTES)
        expect(sent).toMatchObject({ attempts: 1, isRepeat: false })
        expect(sent.sizeBytes).toBeGreaterThan(sizeBytes * 0.9)
        const arrived = await server.read('inventory.csv')
        expect([arrived, await running.readFeed()]).toEqual([sent.sha256, sent.sha256])
        if (sizeBytes === LARGE) await measureAnother(running, id)
      }
    },
    20 * MINUTES,
  )

  /** Sends the newest file once more, and looks how much memory that takes. */
  async function measureAnother(running: SendingProduct, destinationId: number) {
    const readMemory = async () => readProportionalMemory(await listTree(running.product().pid))
    const baseline = await readMemory()
    let peak = baseline
    const started = performance.now()
    const path = `/api/retailers/${running.retailerId}/destinations/${destinationId}/dispatches`
    expect((await running.retailer().send('POST', path)).status).toBe(202)
    const look = async () => {
      peak = Math.max(peak, await readMemory())
      return running.dispatches()
    }
    await until(look, ([newest]) => newest?.status === 'sent' && newest.sizeBytes > LARGE / 2)
    const [newest] = await running.dispatches()
    const seconds =
      (Date.parse(newest?.endedAt ?? '') - Date.parse(newest?.startedAt ?? '')) / 1_000
    const speed = `${toMegabytes((newest?.sizeBytes ?? 0) / seconds)} a second`
    const measured = `${toMegabytes(peak - baseline)} more than ${toMegabytes(baseline)}, ${speed}, in ${secondsSince(started).toFixed(0)} s`
    figure(
      'memory',
      `${toMegabytes(LARGE)} sent to ${name}`,
      measured,
      `≤ ${toMegabytes(MOST_MORE)} more`,
    )
    expect(peak - baseline).toBeLessThanOrEqual(MOST_MORE)
  }
})

describe('people', () => {
  it(
    'get each version whole by mail, the large one by its link',
    async () => {
      const mails = await startMailServer()
      const port = await findFreePort()
      const env = {
        SMTP_URL: mails.url,
        MAIL_FROM: 'stock@example.com',
        PORT: `${port}`,
        PUBLIC_URL: `http://localhost:${port}`,
      }
      let userId = 0
      const running = await startSendingProduct(env, async ({ db }) => {
        const users = db.selectFrom('users').select('id').where('role', '=', 'RETAILER')
        userId = (await users.executeTakeFirstOrThrow()).id
        const confirmed = { userId, address: 'shop@example.com' }
        await db.insertInto('mailAddresses').values(confirmed).execute()
      })
      stage = running
      const id = await running.add({ name: 'Mail', recipients: [userId] })
      for (const sizeBytes of [1_024, LARGE]) {
        const sent = await running.untilSent(id, await running.publish(sizeBytes), 10 * MINUTES)
        const mail = mails.received.at(-1)?.source.replaceAll('=\r\n', '') ?? ''
        const link = /https?:\/\/[^\s"]+\/files\/[\da-f]{64}/.exec(mail)?.[0]
        const [, attached = ''] = ATTACHED.exec(mail) ?? []
        const bytes = Buffer.from(attached, 'base64')
        const hash = createHash('sha256').update(bytes).digest('hex')
        const arrived = sizeBytes === LARGE ? await hashOf(link ?? '') : hash
        expect([arrived, await running.readFeed()]).toEqual([sent.sha256, sent.sha256])
      }
      await mails.close()
    },
    20 * MINUTES,
  )
})
