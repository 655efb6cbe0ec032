import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient } from '../support/rest-client'

const TRIES = 22
const PASSWORD = 'correct-horse'
const USERNAMES = Array.from({ length: 10 }, (_, index) => `supplier-${index}`)

describe('signing in during a flood of sign-ins', () => {
  let dataDir: string
  let product: Product

  beforeAll(async () => {
    dataDir = await makeDataDir()
    // The flood sets its client addresses by header, as a proxy would.
    product = await startProduct(dataDir, { LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' })
    const admin = createRestClient(product.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
    for (const username of USERNAMES) {
      const details = { companyName: username, contactEmail: `${username}@example.com` }
      await admin.send('POST', '/api/suppliers', { username, password: PASSWORD, ...details })
    }
  })
  afterAll(async () => {
    await product.stop()
    await removeDataDir(dataDir)
  })

  it('lets an administrator in at every attempt', async () => {
    const program = ['--import', 'tsx', 'src/e2e/support/sign-in-flood.ts']
    const flood = spawn(process.execPath, [...program, product.url, PASSWORD, ...USERNAMES], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const statuses: number[] = []
    const waves = createInterface({ input: flood.stdout })
    waves.on('line', (line) => statuses.push(...(JSON.parse(line) as number[])))
    await once(waves, 'line')

    let longest = 0
    for (let count = 0; count < TRIES; count += 1) {
      const started = performance.now()
      await createRestClient(product.url).signIn('admin', ADMIN_PASSWORD)
      longest = Math.max(longest, secondsSince(started))
    }
    const ended = once(flood, 'exit')
    flood.kill()
    await ended
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const what = `80 sign-ins at once, ${statuses.length} in all: an administrator’s ${TRIES} sign-ins`
    figure('load', what, `all let in, the longest in ${toSeconds(longest)}`, 'all, < 1 s')
  })
})
