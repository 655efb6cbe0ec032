import { afterEach, describe, expect, it } from 'vitest'

import { figure, rounds, secondsSince } from '../../server/testing/fixtures/figures'
import { FOREIGN_DESTINATIONS, type ForeignDestination } from '../support/foreign-destinations'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { until } from '../support/rest-client'
import { startSendingProduct, type SendingProduct } from '../support/sending-product'
import { toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
const MINUTES = 60_000
const LARGE = rounds(100 * MB, 1024 * MB)
/** The pieces on their way, in the process that has the network and in the one that has the files. */
const MOST_MORE = 96 * MB

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
