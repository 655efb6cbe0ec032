import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import type { Mailer } from '../../../mail/mailer'
import { createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { requestMailAddress } from './mail-address'

let deps: TestDeps
let sent: string[]

beforeEach(async () => {
  sent = []
  const mail: Mailer = {
    send: async ({ to }) => void sent.push(to),
    check: async () => undefined,
    close: () => undefined,
  }
  deps = await openTestDeps({}, { mail })
})
afterEach(() => deps.close())

/** Lets a supplier for each address ask for a link to it; returns how many were sent. */
async function askFor(addresses: string[], toClient: (place: number) => string): Promise<number> {
  const before = sent.length
  for (const [place, address] of addresses.entries()) {
    const supplier = await createSupplierUser(deps)
    const request = requestMailAddress(deps, supplier, address, toClient(place))
    await request.catch((error: Error) => {
      if (!error.message.startsWith('Too many attempts')) throw error
    })
  }
  return sent.length - before
}

const times = (count: number, toAddress: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => toAddress(place))
const everywhere = (place: number) => `203.0.113.${place}`
const somewhere = () => '203.0.113.7'

describe('links to confirm an address', () => {
  it.each([
    ['tags', (place: number) => `v+${place}@x.example`],
    ['case', (place: number) => `${'V'.repeat(place)}${'v'.repeat(24 - place)}@x.example`],
    ['dots', (place: number) => `${'v'.repeat(place + 1)}.${'v'.repeat(24 - place)}@gmail.com`],
  ])('go to one mailbox five times an hour, whatever the %s and the accounts', async (_, to) => {
    expect(await askFor(times(24, to), everywhere)).toBe(5)
    deps.clock.advance(HOUR_MS)
    expect(await askFor([to(1)], somewhere)).toBe(1)
  })

  it('are asked for from one client twenty times an hour, whatever the accounts', async () => {
    const to = (place: number) => `v@x-${place}.example`
    expect(await askFor(times(24, to), somewhere)).toBe(20)
    expect(await askFor(['v@y.example'], () => '203.0.113.8')).toBe(1)
  })

  it('go to one domain so many times an hour, whatever its subdomains', async () => {
    deps.limits.confirmAtDomain = { ...deps.limits.confirmAtDomain, max: 10 }
    const to = (place: number) => `v${place}@${place % 2 ? 'x.example' : `a-${place}.X.example`}`
    expect(await askFor(times(24, to), everywhere)).toBe(10)
    expect(await askFor(['v@y.example'], somewhere)).toBe(1)
  })
  it('go to a well-known mail provider however many others ask for them', async () => {
    deps.limits.confirmAtDomain = { ...deps.limits.confirmAtDomain, max: 10 }
    const to = (place: number) => `v${place}@${place % 2 ? 'gmail.com' : 'GoogleMail.com'}`
    expect(await askFor(times(24, to), everywhere)).toBe(24)
  })
})
