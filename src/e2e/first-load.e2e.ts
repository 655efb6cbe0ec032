import type { Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { seeHeading } from './screen'
import { startStage, type Stage } from './stage'
import { waitUntilIdle } from './traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

/** A compressed first load of the sign-in page, with the font it shows. */
const FIRST_LOAD_MAX_BYTES = 230_000

describe('the first load of /auth', () => {
  it('stays small over the wire, and is cached for ever but for its page', async () => {
    const { page } = await stage.openWindow('about:blank')
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto('/auth')
    await seeHeading(page, 'Login')
    await waitUntilIdle(page)
    const isFile = (response: Response) => !/\/(trpc|healthz)/.test(response.url())
    const files = responses.filter(isFile)
    const sizes = await Promise.all(
      files.map(async (file) => [file.url(), (await file.request().sizes()).responseBodySize]),
    )
    expect(sizes.length).toBeGreaterThan(5)
    const total = sizes.reduce((sum, [, size]) => sum + Number(size), 0)
    expect(total, JSON.stringify(sizes)).toBeLessThan(FIRST_LOAD_MAX_BYTES)
    const assets = files.filter((file) => file.url().includes('/assets/'))
    const policies = new Set(assets.map((file) => file.headers()['cache-control']))
    expect([...policies]).toEqual(['public, max-age=31536000, immutable'])
  })
})
