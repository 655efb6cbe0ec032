import { afterEach, beforeEach, expect, it } from 'vitest'

import { buildApp } from '../app'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import {
  createFeedAddress,
  protectFeedAddresses,
} from '../features/distribution/feed-addresses/feed-addresses'
import { findActor } from '../features/people/accounts/find-actor'
import { prepareSignIn } from '../features/people/passkeys/sign-in-by-passkey'
import { createLogger } from '../observability/logger'
import {
  makeSampleBackup,
  makeTarget,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { createSession, createSupplierUser, PASSWORD } from '../testing/fixtures/factories'
import { putPasskey, TEST_ORIGIN } from '../testing/fixtures/passkeys'
import { codeAt, putSecondFactor } from '../testing/fixtures/second-factors'

let target: Awaited<ReturnType<typeof makeTarget>>

beforeEach(async () => {
  target = await makeTarget()
})
afterEach(() => target.remove())

/** An account with everything that signs in, and a feed address with a password. */
async function prepareProduct(deps: Deps) {
  const { id, username } = await createSupplierUser(deps)
  const { key, recoveryCodes } = await putSecondFactor(deps, id)
  const passkey = await putPasskey(deps, id)
  // By the clock of the restored product, which does not know of any answer yet.
  await deps.db.updateTable('passkeys').set({ challengesTakenUntil: 0 }).execute()
  const there = { ...deps, clock: { ...deps.clock, now: () => Date.now() } }
  const answer = passkey.answer(await prepareSignIn(there, TEST_ORIGIN))
  await createSession(deps, { id })
  const { retailerId, userId } = await deps.db
    .selectFrom('retailers')
    .select(['id as retailerId', 'userId'])
    .executeTakeFirstOrThrow()
  const retailer = (await findActor(deps.db, userId))!
  const { path } = await createFeedAddress(deps, retailer, retailerId)
  const protect = async () =>
    (await protectFeedAddresses(deps, retailer, { id: retailerId, password: 'new' })).password!
  return { username, key, recoveryCodes, passkey, answer, path, password: await protect(), protect }
}

it('a restored backup has factors, passkeys and protected addresses of its time, but nothing that was begun or used', async () => {
  let before: Awaited<ReturnType<typeof prepareProduct>> | undefined
  const backup: SampleBackup = await makeSampleBackup(async (deps) => {
    before = await prepareProduct(deps)
  })
  const { username, key, recoveryCodes, passkey, answer, path, password } = before!
  const laterPassword = await before!.protect()
  await restore(target.config, backup.archive)
  await backup.remove()

  const { deps, close } = await openDeps(target.config, createLogger({ logLevel: 'silent' }))
  const app = await buildApp(deps, { sessionSecret: 'a secret of thirty-two characters' })
  try {
    const signIn = async (code?: string) => {
      const payload = { username, password: PASSWORD, ...(code !== undefined && { code }) }
      return (await app.inject({ method: 'POST', url: '/api/login', payload })).statusCode
    }
    const signInByPasskey = async (made: unknown) => {
      const url = '/trpc/passkeys.signIn'
      return (await app.inject({ method: 'POST', url, payload: { answer: made } })).statusCode
    }
    const read = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      return (await app.inject({ url: path, headers })).statusCode
    }
    expect(await deps.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await signIn()).toBe(401)
    expect(await signIn(codeAt(key, deps.clock.now()))).toBe(401)
    expect(await signIn(recoveryCodes[0])).toBe(401)
    expect(await signInByPasskey(answer)).toBe(400)
    expect(await signInByPasskey(passkey.answer(await prepareSignIn(deps, TEST_ORIGIN)))).toBe(200)
    expect(await read()).toBe(401)
    expect(await read(`Bearer ${laterPassword}`)).toBe(401)
    // Let in, to what has no file.
    expect(await read(`Bearer ${password}`)).toBe(404)
  } finally {
    await app.close()
    await close()
  }
})
