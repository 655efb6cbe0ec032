import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { PAGE_PATHS } from '../../shared/page-paths'
import { insertParams } from '../support/insert-params'
import { readMoves, watchMoves } from '../support/moves'
import { startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

/** Of a page until it is idle. */
const MAX_REQUESTS = 22
/** How far what is in a page moves without anybody's doing, as browsers measure it. */
const MAX_MOVE = 0.05
const WIDTHS = [390, 1280]

let stage: Stage
/** Values of the variable parts of paths. */
const params: Record<string, string> = {}

beforeAll(async () => {
  stage = await startStage()
  const rows = Array.from({ length: 30 }, (_, row) => `SKU-${row},Boots,${row}\n`)
  stage.sourceServer.set('/inventory.csv', { body: `sku,category,stock\n${rows.join('')}` })
  const acme = await stage.addSupplier('acme')
  const retailer = await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
  const url = stage.sourceServer.url('/inventory.csv')
  const { id } = await stage.addConnection(acme, { name: 'Feed', url })
  Object.assign(params, {
    supplierId: String(acme.id),
    retailerId: String(retailer.id),
    userId: String(retailer.userId),
    connectionId: String(id),
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const OF_ADMINISTRATORS = /^\/(?:$|audit|dashboard\/)/
const OF_SUPPLIERS = /^\/supplier(?:$|\/)/
const OF_RETAILERS = /^\/retailer(?:$|\/)/
const OF_ALL = /^\/(?:api-docs|alerts|people|sessions|api-keys|help)$/
const SIGNED_OUT = /^\/(?:auth|forgotten-password|new-password|invitation)$/

const pathsOf = (...patterns: RegExp[]) =>
  PAGE_PATHS.filter((path) => patterns.some((pattern) => pattern.test(path)))

/** What each of them opens; null: who is not signed in. */
const VISITS: [string | null, readonly string[]][] = [
  [null, [...pathsOf(SIGNED_OUT), '/auth?mode=register']],
  ['admin', pathsOf(OF_ADMINISTRATORS, OF_ALL)],
  ['acme', pathsOf(OF_SUPPLIERS, OF_ALL)],
  ['summit', pathsOf(OF_RETAILERS, OF_ALL)],
]

describe.each(WIDTHS)(
  'at %i px, what is in a page stays where it is, and is loaded with few requests',
  (width) => {
    it.each(VISITS)('for %s', async (username, paths) => {
      const { page, expected } = await stage.openAs(username, 'about:blank')
      // Whoever has no link is told so.
      expected.push(/status of 404/)
      await page.setViewportSize({ width, height: 800 })
      await watchMoves(page)
      const session = await page.context().newCDPSession(page.mainFrame())
      await session.send('Network.enable')
      // Slow scripts show what comes late.
      await session.send('Emulation.setCPUThrottlingRate', { rate: username === null ? 4 : 1 })
      let requests = 0
      session.on('Network.requestWillBeSent', ({ request }) => {
        // By which the test waits.
        if (!request.url.endsWith('/healthz')) requests += 1
      })
      for (const path of paths) {
        await session.send('Network.clearBrowserCache')
        requests = 0
        await page.goto(insertParams(path, params))
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await waitUntilIdle(page)
        const moves = await readMoves(page)
        const sum = moves.reduce((total, [value]) => total + value, 0)
        expect.soft(sum, `${path} moves: ${JSON.stringify(moves)}`).toBeLessThan(MAX_MOVE)
        expect.soft(requests, path).toBeLessThanOrEqual(MAX_REQUESTS)
      }
      await session.detach()
    })
  },
)
