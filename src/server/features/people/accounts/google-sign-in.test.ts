import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../../../db/open'
import type { Identity, IdentityProvider } from '../../../identity/identity-provider'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import {
  beginGoogleSignIn,
  finishGoogleSignIn,
  takeGoogleIdentity,
  takeGoogleRequest,
} from './google-sign-in'
import { deleteSession, insertSession } from './sessions.queries'

const SESSION = 'session'
const over = { code: 'INVALID' }
const identity: Identity = {
  issuer: 'https://accounts.example',
  subject: 'subject-1',
  email: 'nora@northbeck.example',
  name: null,
  pictureUrl: null,
}

let deps: TestDeps
/** Runs while the request to the provider is pending. */
let meanwhile: () => Promise<unknown>
let requests = 0

const identityProvider: IdentityProvider = {
  async begin() {
    requests += 1
    await meanwhile()
    const request = { state: `state-${requests}`, nonce: 'nonce', codeVerifier: 'verifier' }
    return { url: request.state, request }
  },
  async verify() {
    await meanwhile()
    return identity
  },
}

beforeEach(async () => {
  deps = await openTestDeps({}, { identityProvider })
  meanwhile = () => Promise.resolve()
  const now = deps.clock.now()
  await inTransaction(deps.db, (trx) =>
    insertSession(trx, {
      idHash: SESSION,
      userId: null,
      data: {},
      createdAt: now,
      touchedAt: now,
      expiresAt: now + 60_000,
    }),
  )
})
afterEach(() => deps.close())

/** Begins a sign-in and returns its state, which is all that this provider's URL consists of. */
const begin = () =>
  beginGoogleSignIn(deps, SESSION, { attempt: 'one', isConfirmation: false, redirectUri: '' })
const endSession = () => inTransaction(deps.db, (trx) => deleteSession(trx, SESSION))
const callbackUrl = new URL('https://stock.example/')

describe('while a request to the provider is pending', () => {
  it('ending the session cancels the sign-in that begins', async () => {
    meanwhile = endSession
    await expect(begin()).rejects.toMatchObject(over)
  })

  it('ending the session discards the identity', async () => {
    const signIn = await takeGoogleRequest(deps, SESSION, await begin())
    meanwhile = endSession
    await expect(finishGoogleSignIn(deps, signIn, callbackUrl)).rejects.toMatchObject(over)
  })

  it('a newer sign-in does not receive the identity of the older one', async () => {
    const older = await takeGoogleRequest(deps, SESSION, await begin())
    let newer = ''
    meanwhile = async () => {
      meanwhile = () => Promise.resolve()
      newer = await begin()
    }
    await expect(finishGoogleSignIn(deps, older, callbackUrl)).rejects.toMatchObject(over)
    await expect(takeGoogleIdentity(deps, SESSION)).rejects.toMatchObject({ status: 401 })
    const signIn = await takeGoogleRequest(deps, SESSION, newer)
    await finishGoogleSignIn(deps, signIn, callbackUrl)
    expect(await takeGoogleIdentity(deps, SESSION)).toEqual(identity)
  })
})
