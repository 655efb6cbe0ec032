import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { inviteRetailerInput, type NewInvitation } from '../../../../shared/schemas/invitation'
import { registerInput } from '../../../../shared/schemas/user'
import { MailError, type Mailer } from '../../../mail/mailer'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { checkRetailerList } from '../../operations/suppliers/retailer-list'
import { register } from '../accounts/registration'
import type { UserRecord } from '../accounts/users.queries'
import { acceptInvitation, openInvitation } from './acceptance'
import {
  inviteRetailer,
  inviteSupplier,
  listInvitations,
  renewInvitation,
  withdrawInvitation,
} from './invitations'

const WEEK_MS = 7 * DAY_MS

let deps: TestDeps
let supplier: UserRecord
let sent: Parameters<Mailer['send']>[0][]
let isRefusing: boolean

const mail: Mailer = {
  async send(message) {
    if (isRefusing) throw new MailError('The mailbox is full')
    sent.push(message)
  },
  check: async () => undefined,
  close: () => undefined,
}

beforeEach(async () => {
  sent = []
  isRefusing = false
  deps = await openTestDeps({}, { mail })
  supplier = await createSupplierUser(deps, { companyName: 'Northbeck', maxRetailers: 2 })
})
afterEach(() => deps.close())

const invite = (input: object = {}, actor = supplier) =>
  inviteRetailer(deps, actor, inviteRetailerInput.parse({ storeName: 'Corner Shop', ...input }))
const list = async (actor = supplier) => (await listInvitations(deps, actor, undefined)).invitations
const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)?.[1] ?? ''
const tokenOf = ({ path }: NewInvitation) => tokenIn(path ?? '')
const mailedToken = () => tokenIn(sent.at(-1)?.text ?? '')
const open = (token: string) => openInvitation(deps, token, ADDRESS)
const accept = (token: string, username = 'corner') =>
  acceptInvitation(
    deps,
    { token, username, password: PASSWORD, contactEmail: 'me@shop.example' },
    ADDRESS,
  )
const isDead = {
  code: 'NOT_FOUND',
  message: expect.stringContaining('Ask whoever invited you') as string,
}
const limitReached = { code: 'LIMIT_REACHED', message: 'Retailer limit reached (2 of 2)' }

describe('a link', () => {
  it('has a token of 256 random bits, of which only a hash is stored, and nothing in the audit log', async () => {
    const token = tokenOf(await invite())
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await deps.db.selectFrom('invitations').selectAll().execute()
    expect(rows).toMatchObject([{ tokenHash: createHash('sha256').update(token).digest('hex') }])
    const entries = await deps.db.selectFrom('auditEntries').selectAll().execute()
    expect(entries).toMatchObject([{ action: 'invitation.create', supplierId: supplier.id }])
    expect(JSON.stringify([rows, entries])).not.toContain(token)
  })

  it('works for a week', async () => {
    const token = tokenOf(await invite())
    deps.clock.advance(WEEK_MS - 1)
    expect(await open(token)).toMatchObject({ name: 'Corner Shop', inviter: 'Northbeck' })
    deps.clock.advance(1)
    await expect(open(token)).rejects.toMatchObject(isDead)
    expect(await list()).toMatchObject([{ state: 'expired' }])
  })

  it('ends at once when another one is made, which works for a week again', async () => {
    const invited = await invite()
    deps.clock.advance(WEEK_MS - 1)
    const { id } = invited.invitation
    const renewed = tokenOf(await renewInvitation(deps, supplier, { id, isMailed: false }))
    await expect(open(tokenOf(invited))).rejects.toMatchObject(isDead)
    deps.clock.advance(WEEK_MS - 1)
    expect(await open(renewed)).toMatchObject({ name: 'Corner Shop' })
  })

  it('ends when the invitation is withdrawn, which cannot be sent again then', async () => {
    const invited = await invite({ email: 'me@shop.example' })
    const { id } = invited.invitation
    await withdrawInvitation(deps, supplier, id)
    await expect(open(mailedToken())).rejects.toMatchObject(isDead)
    expect(await list()).toMatchObject([
      { state: 'withdrawn', endedAt: expect.any(String) as string },
    ])
    await expect(renewInvitation(deps, supplier, { id, isMailed: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const entries = deps.db.selectFrom('auditEntries').select('action').orderBy('id')
    const actions = await entries.execute()
    expect(actions.map(({ action }) => action)).toEqual([
      'invitation.create',
      'invitation.withdraw',
    ])
  })

  it('of a deactivated supplier does not work', async () => {
    const token = tokenOf(await invite())
    await deps.db.updateTable('users').set({ isActive: false }).execute()
    await expect(open(token)).rejects.toMatchObject(isDead)
  })
})

describe('an invitation by mail', () => {
  it('has its link in the mail only, and says who invites to what', async () => {
    const { path, invitation } = await invite({ email: 'me@shop.example' })
    expect(path).toBeNull()
    expect(invitation).toMatchObject({ email: 'me@shop.example', mailState: 'sent', state: 'open' })
    expect(sent).toMatchObject([
      { to: 'me@shop.example', subject: `Northbeck invites you to ${deps.config.appName}` },
    ])
    expect(sent[0]?.text).toContain('the inventory of Northbeck for Corner Shop')
    expect(await open(mailedToken())).toMatchObject({ email: 'me@shop.example' })
  })

  it.each([
    ['the mail server refuses it', () => void (isRefusing = true)],
    ['no mail server is configured', () => void (deps.mail = null)],
  ])('stays when %s: its link can be copied', async (_why, breakMail) => {
    breakMail()
    const invited = await invite({ email: 'me@shop.example' })
    expect(invited.invitation).toMatchObject({ state: 'open', mailState: 'failed' })
    expect(await open(tokenOf(invited))).toMatchObject({ name: 'Corner Shop' })
    expect(await list()).toMatchObject([{ mailState: 'failed' }])
  })

  it('that was being sent when its process died counts as not sent', async () => {
    await invite({ email: 'me@shop.example' })
    await deps.db.updateTable('invitations').set({ mailState: 'sending' }).execute()
    expect(await list()).toMatchObject([{ mailState: 'sending' }])
    deps.clock.advance(DAY_MS)
    expect(await list()).toMatchObject([{ mailState: 'failed' }])
  })

  it('can be sent again, and its link be shown instead', async () => {
    const { id } = (await invite({ email: 'me@shop.example' })).invitation
    const [first] = [mailedToken()]
    await renewInvitation(deps, supplier, { id, isMailed: true })
    const second = mailedToken()
    expect(second).not.toBe(first)
    await expect(open(first)).rejects.toMatchObject(isDead)
    const shown = await renewInvitation(deps, supplier, { id, isMailed: false })
    expect(shown.invitation.mailState).toBeNull()
    await expect(open(second)).rejects.toMatchObject(isDead)
    expect(await open(tokenOf(shown))).toMatchObject({ name: 'Corner Shop' })
  })

  it('cannot be sent without an address', async () => {
    const { id } = (await invite()).invitation
    await expect(renewInvitation(deps, supplier, { id, isMailed: true })).rejects.toMatchObject({
      code: 'INVALID',
    })
  })
})

describe('the limit of retailers', () => {
  it('counts open invitations, for further ones, new logins, links and lists', async () => {
    await createLinkedRetailer(deps, supplier)
    await invite()
    await expect(invite()).rejects.toMatchObject(limitReached)
    const account = { username: 'new', password: PASSWORD, role: 'RETAILER' }
    const registering = register(deps, supplier, registerInput.parse(account), ADDRESS)
    await expect(registering).rejects.toMatchObject(limitReached)
    const listed = { ...account, contactEmail: 'a@b.example', storeName: 'New', categories: [] }
    expect(await checkRetailerList(deps, supplier, [listed])).toMatchObject([
      { message: 'You may have 2 retailers, so none can be added' },
    ])
    // Its login stays, so this comes last.
    await expect(createLinkedRetailer(deps, supplier)).rejects.toMatchObject(limitReached)
  })

  it('has room again once one was withdrawn or has expired, until that is sent again', async () => {
    const first = (await invite()).invitation
    const second = (await invite()).invitation
    await withdrawInvitation(deps, supplier, first.id)
    await invite()
    await expect(invite()).rejects.toMatchObject(limitReached)
    deps.clock.advance(WEEK_MS)
    await invite()
    await invite()
    const again = renewInvitation(deps, supplier, { id: second.id, isMailed: false })
    await expect(again).rejects.toMatchObject(limitReached)
  })

  it('keeps a place for whoever accepts, also when it was lowered since', async () => {
    await createLinkedRetailer(deps, supplier)
    const token = tokenOf(await invite())
    await deps.db
      .updateTable('users')
      .set({ maxRetailers: 1 })
      .where('id', '=', supplier.id)
      .execute()
    await accept(token)
    expect(await deps.db.selectFrom('retailers').select('id').execute()).toHaveLength(2)
  })

  it('is exact when many invite at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => invite()))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })
})

describe('the list', () => {
  it('has open invitations first, then the newest, with whoever accepted', async () => {
    const first = await invite({ storeName: 'One' })
    await accept(tokenOf(first), 'one')
    const second = (await invite({ storeName: 'Two' })).invitation
    await withdrawInvitation(deps, supplier, second.id)
    await invite({ storeName: 'Three' })
    expect(await list()).toMatchObject([
      { name: 'Three', state: 'open', acceptedBy: null },
      { name: 'Two', state: 'withdrawn', acceptedBy: null },
      { name: 'One', state: 'accepted', acceptedBy: 'one' },
    ])
    expect(await listInvitations(deps, supplier, undefined)).toMatchObject({ openCount: 1 })
  })

  it('is that of the supplier; administrators see it by its supplier, and their own', async () => {
    const [admin, other] = [await createAdmin(deps), await createSupplierUser(deps)]
    const { id } = (await invite()).invitation
    await inviteSupplier(deps, admin, { companyName: 'Southbeck', maxRetailers: 3 })
    expect(await list(other)).toEqual([])
    expect(await list(admin)).toMatchObject([{ kind: 'SUPPLIER', name: 'Southbeck' }])
    expect((await listInvitations(deps, admin, supplier.id)).invitations).toMatchObject([{ id }])
    await expect(listInvitations(deps, other, supplier.id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(withdrawInvitation(deps, other, id)).rejects.toThrow('Invitation not found')
    await expect(renewInvitation(deps, other, { id, isMailed: false })).rejects.toThrow(
      'Invitation not found',
    )
  })

  it('remembers a month of what has ended, and no more than two hundred of a supplier', async () => {
    const { id } = (await invite()).invitation
    await withdrawInvitation(deps, supplier, id)
    deps.clock.advance(WEEK_MS + 29 * DAY_MS)
    expect(await cleanUp(deps)).not.toContain('invitation')
    deps.clock.advance(2 * DAY_MS)
    expect(await cleanUp(deps)).toContain('1 old invitation')
    deps.limits.invite = { ...deps.limits.invite, max: 1_000 }
    for (let count = 0; count < 203; count++) {
      const made = await invite()
      await withdrawInvitation(deps, supplier, made.invitation.id)
    }
    const rows = await deps.db.selectFrom('invitations').select('id').execute()
    expect(rows).toHaveLength(201)
    expect(await list()).toHaveLength(200)
  })
})
