import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { resetPassword } from '../../../features/people/accounts/accounts'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { setPasswordByLink } from '../../../features/people/recovery/recovery'
import { createAdmin, createSupplierUser, PASSWORD } from '../../fixtures/factories'
import { putPasswordLink } from '../../fixtures/recovery-samples'
import { putSecondFactor } from '../../fixtures/second-factors'
import { openTestApp, type TestApp } from '../../stages/test-app'

const HOME = '192.0.2.1'
const REQUIRED = {
  message: 'Enter the code of your authenticator app',
  code: 'second_factor_required',
}
const WRONG = {
  message: 'This code is wrong, or was used already',
  code: 'second_factor_required',
}

let testApp: TestApp
let supplier: UserRecord
let factor: Awaited<ReturnType<typeof putSecondFactor>>

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  factor = await putSecondFactor(testApp.deps, supplier.id)
})
afterEach(() => testApp.close())

async function signIn(
  code?: string,
  { address = HOME, user = supplier, password = PASSWORD } = {},
) {
  const client = testApp.client(undefined, address)
  const body = { username: user.username, password, ...(code !== undefined && { code }) }
  const { status, body: answer } = await client.request('POST', '/api/login', body)
  return { status, answer, client }
}
const statusOf = async (...args: Parameters<typeof signIn>) => (await signIn(...args)).status

describe('a sign-in with a second factor', () => {
  it('takes a code besides the password', async () => {
    const { status, answer, client } = await signIn()
    expect([status, answer]).toEqual([401, REQUIRED])
    expect(client.cookie).toBeUndefined()
    const signedIn = await signIn(factor.code())
    expect([signedIn.status, signedIn.answer]).toMatchObject([200, { username: supplier.username }])
    expect((await signedIn.client.request('GET', '/api/user')).status).toBe(200)
  })

  it('takes a recovery code instead, once', async () => {
    const [code] = factor.recoveryCodes
    expect([await statusOf(code), await statusOf(code)]).toEqual([200, 401])
  })

  it('is refused for a wrong code, and for the one of the sign-in before', async () => {
    expect(await signIn('000000')).toMatchObject({ status: 401, answer: WRONG })
    const code = factor.code()
    expect(await statusOf(code)).toBe(200)
    expect(await signIn(code)).toMatchObject({ status: 401, answer: WRONG })
  })

  it('says nothing of the second factor to those without the password', async () => {
    const { status, answer } = await signIn(factor.code(), { password: 'wrong' })
    expect([status, answer]).toEqual([401, { message: 'Invalid username or password' }])
    expect(await statusOf(factor.code())).toBe(200)
  })

  it('is recorded as failed with a wrong code, and not without one', async () => {
    await signIn()
    await signIn('000000')
    const entries = await testApp.deps.db.selectFrom('auditEntries').select('action').execute()
    expect(entries.map(({ action }) => action)).toEqual(['user.sign-in-failed'])
  })

  it('changes nothing for those who have none, whatever they send as code', async () => {
    const user = await createSupplierUser(testApp.deps)
    expect([await statusOf(undefined, { user }), await statusOf('1', { user })]).toEqual([200, 200])
  })

  it('names over tRPC what is required, and the field of a wrong code', async () => {
    const call = (code?: string) =>
      testApp.client().call('mutation', 'session.login', {
        username: supplier.username,
        password: PASSWORD,
        code,
      })
    const reason = 'second_factor_required'
    expect((await call()).body).toMatchObject({ error: { data: { httpStatus: 401, reason } } })
    expect((await call('1')).body).toMatchObject({
      error: { data: { reason, fieldErrors: { code: WRONG.message } } },
    })
  })

  it('is taken once of two processes that get the same code at once', async () => {
    const code = factor.code()
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(code)))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401])
  })
})

describe.each([
  ['of an app', '000000'],
  ['of a recovery', 'aaaa-bbbb-cccc-dddd'],
])('wrong codes %s', (_of, wrong) => {
  const fail = async (count: number, address: string, user = supplier) => {
    for (let done = 0; done < count; done++) {
      expect(await statusOf(wrong, { address, user })).toBe(401)
    }
  }
  /** As if the user had signed in from there before. */
  const know = (address: string) =>
    testApp.deps.db
      .insertInto('knownAddresses')
      .values({ userId: supplier.id, address, seenAt: testApp.deps.clock.now() })
      .execute()
  const allowSignIns = () => {
    testApp.deps.limits.signIn = { max: 10_000, windowMs: MINUTE_MS }
    testApp.deps.limits.loginAtAddress = { max: 10_000, windowMs: MINUTE_MS }
  }

  it('are followed by a pause, longer each time, from one address', async () => {
    await fail(5, HOME)
    expect(await signIn(factor.code())).toMatchObject({
      status: 429,
      answer: { message: 'Too many attempts. Try again in 60 seconds.' },
    })
    testApp.deps.clock.advance(MINUTE_MS)
    await fail(1, HOME)
    testApp.deps.clock.advance(MINUTE_MS)
    expect(await statusOf(factor.code())).toBe(429)
    testApp.deps.clock.advance(MINUTE_MS)
    expect(await statusOf(factor.code())).toBe(200)
    await fail(5, HOME)
  })

  it('are at most 20 from all addresses, but from those that are known', async () => {
    allowSignIns()
    await know('203.0.113.99')
    for (let count = 0; count < 4; count++) await fail(5, `203.0.113.${count}`)
    expect(await statusOf(factor.code(), { address: '203.0.113.50' })).toBe(429)
    expect(await statusOf(factor.code(), { address: '203.0.113.99' })).toBe(200)
  })

  it('are at most 60 an hour from one address, of all accounts', async () => {
    allowSignIns()
    testApp.deps.limits.codeAtAddress = { max: 3, windowMs: HOUR_MS }
    const other = await createSupplierUser(testApp.deps)
    await putSecondFactor(testApp.deps, other.id)
    await fail(3, HOME, other)
    expect(await statusOf(factor.code())).toBe(429)
    expect(await statusOf(factor.code(), { address: '198.51.100.1' })).toBe(200)
  })

  it('are bounded in all, and block no known address', async () => {
    allowSignIns()
    testApp.deps.limits.codes = { max: 3, windowMs: HOUR_MS }
    const other = await createSupplierUser(testApp.deps)
    await putSecondFactor(testApp.deps, other.id)
    await fail(3, '203.0.113.1', other)
    expect(await statusOf(factor.code())).toBe(429)
    await know(HOME)
    expect(await statusOf(factor.code())).toBe(200)
  })
})

describe('the form of /auth', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (fields: Record<string, string>, path = '/auth?next=%2Fsupplier') => {
    const client = testApp.client()
    const body = new URLSearchParams(fields).toString()
    return { client, answer: client.request('POST', path, body, FORM) }
  }
  const enter = async () => {
    const { answer } = send({ username: supplier.username, password: PASSWORD })
    const { status, text, headers } = await answer
    return { status, text, headers, ticket: /name="ticket" value="([^"]+)"/.exec(text)?.[1] ?? '' }
  }

  it('asks for the code by a page without scripts, and leads on', async () => {
    const { status, text, headers, ticket } = await enter()
    expect([status, headers['cache-control']]).toEqual([401, 'no-store'])
    expect(text).toContain('autocomplete="one-time-code"')
    expect(text).not.toContain(PASSWORD)
    const wrong = await send({ ticket, code: '000000' }).answer
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining(WRONG.message)])
    const { client, answer } = send({ ticket, code: ` ${factor.code()} ` })
    expect(await answer).toMatchObject({
      status: 303,
      headers: { location: '/auth?next=%2Fsupplier' },
    })
    expect((await client.request('GET', '/api/user')).status).toBe(200)
    expect((await send({ ticket, code: factor.code() }).answer).status).toBe(401)
  })

  it('takes no ticket that is made up, five minutes old, or from before the password changed', async () => {
    const expectEnded = async (ticket: string) => {
      const { status, text } = await send({ ticket, code: factor.code() }).answer
      expect([status, text]).toEqual([401, expect.stringContaining('Enter your password again')])
    }
    await expectEnded('made up')
    const { ticket } = await enter()
    testApp.deps.clock.advance(5 * MINUTE_MS)
    await expectEnded(ticket)
    const { ticket: next } = await enter()
    await testApp.deps.db.updateTable('users').set({ sessionEpoch: 7 }).execute()
    expect((await send({ ticket: next, code: factor.code() }).answer).status).toBe(401)
  })

  it('counts wrong codes as the call does', async () => {
    const { ticket } = await enter()
    for (let count = 0; count < 5; count++) await send({ ticket, code: '000000' }).answer
    expect((await send({ ticket, code: factor.code() }).answer).status).toBe(429)
  })
})

it('stays on when the password is set anew through a link, or by an administrator', async () => {
  const { deps } = testApp
  const token = await putPasswordLink(deps, supplier.id)
  await setPasswordByLink(deps, { token, newPassword: 'another horse' }, HOME)
  expect(await signIn(undefined, { password: 'another horse' })).toMatchObject({ answer: REQUIRED })
  const admin = await createAdmin(deps)
  const input = { userId: supplier.id, newPassword: 'a third horse' }
  await resetPassword(deps, admin, input, HOME)
  expect(await signIn(undefined, { password: 'a third horse' })).toMatchObject({ answer: REQUIRED })
})
