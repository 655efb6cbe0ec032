import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inviteRetailerInput, type NewInvitation } from '../../../../shared/schemas/invitation'
import { withCaller } from '../../../domain/caller'
import { DomainError } from '../../../domain/errors'
import type { Mailer } from '../../../mail/mailer'
import {
  ADDRESS,
  createAdmin,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { confirmMailAddress } from '../../alerting/alerts/mail-address'
import { login } from '../accounts/accounts'
import { signInWithGoogle } from '../accounts/google-accounts'
import type { UserRecord } from '../accounts/users.queries'
import { acceptInvitation, acceptWithGoogle, openInvitation } from './acceptance'
import { inviteRetailer, inviteSupplier, renewInvitation } from './invitations'

let deps: TestDeps
let supplier: UserRecord
let mailed: string

const mail: Mailer = {
  send: async ({ text }) => void (mailed = text),
  check: async () => undefined,
  close: () => undefined,
}
const nora = {
  issuer: 'https://accounts.example',
  subject: 'subject-1',
  email: 'nora@shop.example',
  name: 'Nora',
  pictureUrl: null,
}

beforeEach(async () => {
  deps = await openTestDeps({}, { mail })
  supplier = await createSupplierUser(deps, { companyName: 'Northbeck' })
})
afterEach(() => deps.close())

const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)?.[1] ?? ''
const tokenOf = ({ path }: NewInvitation) => tokenIn(path ?? mailed)
const invite = (input: object = {}) =>
  inviteRetailer(deps, supplier, inviteRetailerInput.parse({ storeName: 'Corner Shop', ...input }))
const toInput = (
  token: string,
  username = 'corner',
  contactEmail: string | null = 'me@shop.example',
) => ({
  token,
  username,
  password: PASSWORD,
  contactEmail,
})
/** As a request without a session does it. */
const asNobody = <T>(work: () => Promise<T>) =>
  withCaller({ origin: 'web', actor: null, address: ADDRESS }, work)
const accept = (...input: Parameters<typeof toInput>) =>
  asNobody(() => acceptInvitation(deps, toInput(...input), ADDRESS))
const isDead = {
  code: 'NOT_FOUND',
  message: expect.stringContaining('Ask whoever invited you') as string,
}
const listRetailers = () => deps.db.selectFrom('retailers').selectAll().execute()
const listAddresses = () => deps.db.selectFrom('mailAddresses').selectAll().execute()

describe('accepting an invitation', () => {
  it('of a retailer makes its login and its store, with the settings of the invitation', async () => {
    const settings = {
      syncFrequency: 60,
      visibilitySettings: { allProducts: false, categories: ['Hats'] },
      profile: { kind: 'stock', skuPrefix: 'A-' },
    }
    const user = await accept(tokenOf(await invite(settings)))
    expect(user).toMatchObject({
      username: 'corner',
      role: 'RETAILER',
      companyName: 'Corner Shop',
      contactEmail: 'me@shop.example',
      maxRetailers: null,
    })
    expect(await listRetailers()).toMatchObject([
      {
        userId: user.id,
        supplierId: supplier.id,
        storeName: 'Corner Shop',
        syncFrequencyMinutes: 60,
        isAllProducts: false,
        categories: ['Hats'],
        profile: { kind: 'stock', skuPrefix: 'A-' },
      },
    ])
    expect(await login(deps, { username: 'corner', password: PASSWORD }, ADDRESS)).toMatchObject({
      id: user.id,
    })
  })

  it('sends the link that confirms an address that was typed, which is not confirmed before', async () => {
    const token = tokenOf(await invite())
    mailed = ''
    const user = await accept(token)
    expect(await listAddresses()).toMatchObject([
      { userId: user.id, address: null, pendingAddress: 'me@shop.example' },
    ])
    const [, confirmation = ''] = /#confirm=([\w-]+)/.exec(mailed) ?? []
    await confirmMailAddress(deps, user, confirmation)
    expect(await listAddresses()).toMatchObject([{ address: 'me@shop.example' }])
  })

  it('is not kept from it by a mail that cannot be sent', async () => {
    deps.limits.confirmFromClient = { ...deps.limits.confirmFromClient, max: 1 }
    const first = await accept(tokenOf(await invite()))
    const second = await accept(tokenOf(await invite()), 'second', 'you@shop.example')
    expect(second).toMatchObject({ username: 'second' })
    expect(await listAddresses()).toMatchObject([{ userId: first.id }])
  })

  it('of a supplier makes it with its limit, also while registration is closed', async () => {
    deps.config = { ...deps.config, isSignupAllowed: false }
    const admin = await createAdmin(deps)
    const invited = await inviteSupplier(deps, admin, { companyName: 'Southbeck', maxRetailers: 3 })
    expect(await accept(tokenOf(invited), 'southbeck')).toMatchObject({
      role: 'SUPPLIER',
      companyName: 'Southbeck',
      maxRetailers: 3,
    })
  })

  it('is recorded as the doing of the new user, and told to its supplier', async () => {
    const user = await accept(tokenOf(await invite({ email: 'me@shop.example' })))
    const entries = await deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('actorId', '=', user.id)
      .execute()
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'invitation.accept',
      'retailer.create',
      'user.confirm-mail-address',
      'user.register',
    ])
    expect(new Set(entries.map(({ supplierId }) => supplierId))).toEqual(new Set([supplier.id]))
  })

  it('needs an address only if the invitation has none', async () => {
    await expect(accept(tokenOf(await invite()), 'one', null)).rejects.toMatchObject({
      code: 'INVALID',
      field: 'contactEmail',
    })
    const user = await accept(tokenOf(await invite({ email: 'me@shop.example' })), 'two', null)
    expect(user.contactEmail).toBe('me@shop.example')
  })

  it('confirms the address that the link was sent to, and no other', async () => {
    const user = await accept(tokenOf(await invite({ email: 'me@shop.example' })), 'one')
    const shown = await invite({ email: 'them@shop.example' })
    const { id } = shown.invitation
    await accept(tokenOf(await renewInvitation(deps, supplier, { id, isMailed: false })), 'two')
    await accept(tokenOf(await invite()), 'three')
    deps.mail = null
    await accept(tokenOf(await invite({ email: 'us@shop.example' })), 'four')
    const confirmed = (await listAddresses()).filter(({ address }) => address !== null)
    expect(confirmed).toMatchObject([{ userId: user.id, address: 'me@shop.example' }])
  })

  it('is refused when the username is taken, and can be tried again', async () => {
    const token = tokenOf(await invite())
    await expect(accept(token, supplier.username.toUpperCase())).rejects.toMatchObject({
      code: 'CONFLICT',
      field: 'username',
    })
    expect(await accept(token)).toMatchObject({ username: 'corner' })
  })

  it('happens once, however many open the link at once', async () => {
    const token = tokenOf(await invite())
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, place) => accept(token, `corner-${place}`)),
    )
    const refusals = tries.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    )
    expect(refusals).toHaveLength(7)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(DomainError)
      expect(refusal).toMatchObject(isDead)
    }
    expect(await listRetailers()).toHaveLength(1)
    await expect(openInvitation(deps, token, ADDRESS)).rejects.toMatchObject(isDead)
  })

  it('is all or nothing', async () => {
    const token = tokenOf(await invite())
    const before = await deps.db.selectFrom('users').select('id').execute()
    const broken = { ...deps, linkInvitedRetailer: () => Promise.reject(new Error('broken')) }
    await expect(acceptInvitation(broken, toInput(token), ADDRESS)).rejects.toThrow('broken')
    expect(await deps.db.selectFrom('users').select('id').execute()).toEqual(before)
    expect(await accept(token)).toMatchObject({ username: 'corner' })
  })
})

describe('accepting with Google', () => {
  const withGoogle = (token: string, uid = nora.subject) =>
    asNobody(() => acceptWithGoogle(deps, { token, uid }, nora, ADDRESS))

  it('links the identity to the invited account, which it signs in to from then on', async () => {
    const user = await withGoogle(tokenOf(await invite({ email: 'me@shop.example' })))
    expect(user).toMatchObject({
      username: 'nora',
      role: 'RETAILER',
      contactEmail: 'me@shop.example',
      displayName: 'Nora',
    })
    expect(await signInWithGoogle(deps, nora, nora.subject, ADDRESS)).toMatchObject({ id: user.id })
    expect(await listRetailers()).toMatchObject([{ userId: user.id }])
  })

  it('is refused for an identity that has an account, and uses nothing up', async () => {
    await signInWithGoogle(deps, nora, nora.subject, ADDRESS)
    const token = tokenOf(await invite())
    await expect(withGoogle(token)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await accept(token)).toMatchObject({ username: 'corner' })
  })

  it('is refused for another identity than the page expects', async () => {
    const token = tokenOf(await invite())
    await expect(withGoogle(token, 'subject-2')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})

describe('links that do not work', () => {
  it('have one answer, whatever they are', async () => {
    const used = tokenOf(await invite())
    await accept(used)
    const answers = ['a'.repeat(43), '', '\u0000', used].map((token) =>
      openInvitation(deps, token, ADDRESS).catch((error: Error) => error.message),
    )
    expect(new Set(await Promise.all(answers)).size).toBe(1)
  })

  it('are refused beyond thirty an hour from an address, with the right one among them', async () => {
    const token = tokenOf(await invite())
    const tries = Array.from({ length: 40 }, (_, place) =>
      openInvitation(deps, `wrong-${place}`, ADDRESS).catch((error: DomainError) => error.code),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'NOT_FOUND')).toHaveLength(30)
    expect(codes.filter((code) => code === 'THROTTLED')).toHaveLength(10)
    await expect(openInvitation(deps, token, ADDRESS)).rejects.toMatchObject({ code: 'THROTTLED' })
    expect(await openInvitation(deps, token, '203.0.113.9')).toMatchObject({ name: 'Corner Shop' })
  })

  it('are refused in all beyond a number, and keep nobody from an invitation', async () => {
    deps.limits.openLinks = { ...deps.limits.openLinks, max: 20 }
    const token = tokenOf(await invite())
    const tries = Array.from({ length: 30 }, (_, place) =>
      openInvitation(deps, `wrong-${place}`, `203.0.113.${place}`).catch(
        (error: DomainError) => error.code,
      ),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'THROTTLED')).toHaveLength(10)
    expect(await accept(token)).toMatchObject({ username: 'corner' })
  })

  it('cost an address nothing that are right', async () => {
    const token = tokenOf(await invite())
    for (let count = 0; count < 50; count++) await openInvitation(deps, token, ADDRESS)
    expect(await accept(token)).toMatchObject({ username: 'corner' })
  })
})
