import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ACCOUNT_GRACE_DAYS } from '../../../../shared/constants'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Mailer } from '../../../mail/mailer'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import {
  countMarkedFiles,
  findMarked,
  findNumbersOf,
  MARK,
  putMarkedCompany,
  putPerson,
} from '../../../testing/fixtures/personal-data'
import { seedStock } from '../../../testing/fixtures/stock'
import { listStoredFiles } from '../../../testing/fixtures/stored-files'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { findActor } from '../../people/accounts/find-actor'
import { countActiveOwners } from '../../people/accounts/persons.queries'
import { deleteAccount, getOwnAccount, keepAccount } from './account-deletion'

const SHARED = 'sku,qty\r\n1,5\r\n'

const FROM = { address: ADDRESS, sessionIdHash: '' }

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const actorOf = async ({ id }: { id: number }) => (await findActor(deps.db, id))!
const remove = async (user: { id: number }, input: object = {}, from = FROM) =>
  deleteAccount(deps, await actorOf(user), { confirmation: PASSWORD, ...input }, from)

/** All that has the mark: tables, and how many stored files. */
const findTraces = async () => ({
  tables: Object.keys(await findMarked(deps)).toSorted(),
  files: await countMarkedFiles(deps),
})

async function passGrace() {
  deps.clock.advance(ACCOUNT_GRACE_DAYS * DAY_MS + MINUTE_MS)
  await cleanUp(deps)
}

const listNamesInAudit = async () => {
  const entries = await deps.db.selectFrom('auditEntries').selectAll().execute()
  return entries.flatMap(({ actorName, subjectName }) => [actorName, subjectName])
}

describe('a supplier that is deleted', () => {
  it('is gone from every table and every stored file, with its people and retailers', async () => {
    const bystander = await seedStock(deps, { files: [SHARED], retailers: 2 })
    const { supplier, files, sharedFile } = await putMarkedCompany(deps, SHARED)
    expect(await findTraces()).toEqual({
      tables: [
        'accessRequests',
        'accountMails',
        'apiKeys',
        'auditEntries',
        'connections',
        'deliveries',
        'destinations',
        'digests',
        'dispatches',
        'downloads',
        'events',
        'feedAddresses',
        'invitations',
        'itemHistories',
        'knownAddresses',
        'mailAddresses',
        'mailInboxes',
        'mails',
        'mergedAddresses',
        'mergedFiles',
        'mergedParts',
        'passkeys',
        'problems',
        'receivedFiles',
        'recentDownloads',
        'retailerGroups',
        'retailerPulls',
        'retailers',
        'sessions',
        'sftpLogins',
        'signInPlaces',
        'supplierCards',
        'syncRuns',
        'uploadLinks',
        'users',
        'variants',
        'versions',
        'webhooks',
      ],
      files: files.length,
    })
    await remove(supplier)
    await passGrace()
    expect(await findTraces()).toEqual({ tables: [], files: 0 })
    const { id } = bystander.supplier
    expect(await deps.db.selectFrom('users').select('registeredByUserId').execute()).toHaveLength(3)
    expect(await deps.db.selectFrom('connections').select('supplierId').execute()).toEqual([
      { supplierId: id },
    ])
    expect(await listStoredFiles(deps)).toEqual([sharedFile.sha256])
  })

  it('leaves no row with a number of its people, either', async () => {
    const { supplier, editor, login, buyer, unlinked } = await putMarkedCompany(deps, SHARED)
    const people = [supplier, editor, login, buyer, unlinked].map(({ id }) => id)
    expect(await findNumbersOf(deps, people)).toEqual(
      expect.arrayContaining(['notifications.userId', 'viewings.userId', 'users.id']),
    )
    await remove(supplier)
    await passGrace()
    expect(await findNumbersOf(deps, people)).toEqual([])
  })

  it('has a pseudonym in the audit log, where what was done stays', async () => {
    const { supplier, retailerId, login } = await putMarkedCompany(deps, SHARED)
    await remove(supplier)
    await passGrace()
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    expect(
      entries.find(({ subjectId, noun }) => noun === 'retailer' && subjectId === retailerId),
    ).toMatchObject({
      action: 'retailer.create',
      subjectName: `deleted account ${login.id}`,
      changes: expect.arrayContaining([
        { field: 'storeName', before: null, after: '…' },
      ]) as unknown,
    })
    expect(entries.find(({ actorId }) => actorId === supplier.id)).toMatchObject({
      actorName: `deleted account ${supplier.id}`,
      actorRole: 'SUPPLIER',
      address: null,
    })
    expect(entries.at(-1)).toMatchObject({
      action: 'account.delete',
      subjectName: `deleted account ${supplier.id}`,
      actorId: null,
    })
  })

  it('stays until the period of grace is over, and for good once an owner takes it back', async () => {
    const { supplier } = await putMarkedCompany(deps, SHARED)
    const owner = await createMember(deps, supplier, 'OWNER')
    await remove(supplier, { scope: 'company' })
    deps.clock.advance(ACCOUNT_GRACE_DAYS * DAY_MS - MINUTE_MS)
    await cleanUp(deps)
    const before = await findTraces()
    expect(before.tables).toContain('users')
    await keepAccount(deps, await actorOf(owner), undefined)
    await passGrace()
    expect((await findTraces()).tables).toContain('users')
    await expect(keepAccount(deps, await actorOf(owner), undefined)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is completed by the next run when one has died in the middle', async () => {
    const { supplier } = await putMarkedCompany(deps, SHARED)
    await remove(supplier)
    deps.clock.advance(ACCOUNT_GRACE_DAYS * DAY_MS)
    await expect(keepAccount(deps, await actorOf(supplier), undefined)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const add = deps.deletedAccounts.add
    deps.deletedAccounts.add = () => Promise.reject(new Error('died'))
    await expect(cleanUp(deps)).rejects.toThrow('died')
    expect((await findTraces()).tables).toContain('users')
    deps.deletedAccounts.add = add
    await cleanUp(deps)
    expect(await findTraces()).toEqual({ tables: [], files: 0 })
  })

  it('leaves a store’s login to the other supplier that it has', async () => {
    const { supplier, login } = await putMarkedCompany(deps, SHARED)
    const other = await createSupplierUser(deps)
    await deps.db
      .insertInto('retailers')
      .values({
        userId: login.id,
        supplierId: other.id,
        storeName: 'Elsewhere',
        syncFrequencyMinutes: 60,
        createdAt: 0,
      })
      .execute()
    await remove(supplier)
    await passGrace()
    expect(await deps.db.selectFrom('retailers').select(['userId', 'storeName']).execute()).toEqual(
      [{ userId: login.id, storeName: 'Elsewhere' }],
    )
  })
})

describe('a retailer that is deleted', () => {
  it('is gone after its period of grace, and its supplier stays', async () => {
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    await putPerson(deps, user)
    const username = MARK
    await deps.db
      .updateTable('users')
      .set({ username, usernameKey: username })
      .where('id', '=', user.id)
      .execute()
    await remove(user)
    await deps.work()
    expect(await listAlerts(supplier.id)).toEqual(['company.leaving'])
    await passGrace()
    expect(await findTraces()).toEqual({ tables: [], files: 0 })
    expect(await actorOf(supplier)).toMatchObject({ id: supplier.id, isActive: true })
  })
})

const listAlerts = async (userId: number) => {
  const rows = await deps.db
    .selectFrom('notifications')
    .innerJoin('events', 'events.id', 'notifications.eventId')
    .select('kind')
    .where('userId', '=', userId)
    .orderBy('events.id')
    .execute()
  return rows.map(({ kind }) => kind)
}

describe('whoever is not the last owner', () => {
  it('is deleted at once, and the company stays', async () => {
    const supplier = await createSupplierUser(deps)
    const member = await createMember(deps, supplier, 'EDITOR')
    await deps.db
      .updateTable('users')
      .set({ username: MARK, usernameKey: MARK })
      .where('id', '=', member.id)
      .execute()
    await putPerson(deps, { ...member, username: MARK })
    expect(await remove(member)).toEqual({ deletionAt: null })
    expect((await findTraces()).tables).toEqual([])
    expect(await listNamesInAudit()).toContain(`deleted account ${member.id}`)
    expect(await actorOf(supplier)).toMatchObject({ companyName: 'Acme' })
  })

  it('may be the first login, whose row stays as the company without its person', async () => {
    const { supplier } = await putMarkedCompany(deps, SHARED)
    await createMember(deps, supplier, 'OWNER')
    expect(await remove(supplier)).toEqual({ deletionAt: null })
    const row = await deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', supplier.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      username: `deleted account ${supplier.id}`,
      companyName: `${MARK} company`,
      passwordHash: null,
      displayName: null,
    })
    const marked = await findMarked(deps, [`${MARK} owner`, `person${supplier.id}@`])
    expect(Object.keys(marked)).toEqual([])
  })

  it('leaves as a first login only rows of the company with its number', async () => {
    const { supplier } = await putMarkedCompany(deps, SHARED)
    await createMember(deps, supplier, 'OWNER')
    const before = await findNumbersOf(deps, [supplier.id])
    await remove(supplier)
    const after = await findNumbersOf(deps, [supplier.id])
    expect(before.filter((column) => !after.includes(column))).toEqual([
      'accountMails.userId',
      'alertChoices.userId',
      'apiKeys.userId',
      'digests.userId',
      'invitations.acceptedBy',
      'knownAddresses.userId',
      'mailAddresses.userId',
      'notifications.userId',
      'passkeys.userId',
      'recoveryCodes.userId',
      'secondFactors.userId',
      'sessions.userId',
      'signInPlaces.userId',
      'viewings.userId',
    ])
    expect(after).toEqual([
      'accessRequests.supplierId',
      'cardDays.supplierId',
      'connections.supplierId',
      'deliveries.userId',
      'events.supplierId',
      'invitations.companyId',
      'invitations.invitedBy',
      'mails.decidedBy',
      'problems.supplierId',
      'receivedFiles.receivedBy',
      'retailerGroups.supplierId',
      'retailers.supplierId',
      'supplierCards.supplierId',
      'users.id',
      'users.memberOf',
      'users.registeredByUserId',
      'variants.requestedBy',
      'webhooks.userId',
    ])
  })

  it('stays with the company if the only other owner leaves at the same time', async () => {
    const supplier = await createSupplierUser(deps)
    const owner = await createMember(deps, supplier, 'OWNER')
    const results = await Promise.allSettled([remove(supplier), remove(owner)])
    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? 'left' : (result.reason as { code: string }).code,
    )
    expect(outcomes.toSorted()).toEqual(['CONFLICT', 'left'])
    expect(await countActiveOwners(deps.db, supplier.id)).toBe(1)
  })

  it('may be an administrator, but not the last one', async () => {
    const [one, other] = [await createAdmin(deps), await createAdmin(deps)]
    expect(await remove(one)).toEqual({ deletionAt: null })
    await expect(remove(other)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('what a deletion would take along', () => {
  it('is told with the name of the company, whoever of its people asks', async () => {
    const supplier = await createSupplierUser(deps)
    const { user } = await createLinkedRetailer(deps, supplier)
    const owner = await createMember(deps, user, 'OWNER')
    const told = async (person: { id: number }) => getOwnAccount(deps, await actorOf(person))
    const byPassword = { confirmedBy: 'password' }
    expect(await told(supplier)).toEqual({
      ...byPassword,
      companyName: 'Acme',
      what: 'company',
      retailerCount: 1,
    })
    expect(await told(owner)).toEqual({
      ...byPassword,
      companyName: 'Corner Shop',
      what: 'person',
      retailerCount: 0,
    })
    expect(await told(await createAdmin(deps))).toMatchObject({ what: 'nothing' })
  })
})

describe('asking for a deletion', () => {
  it('needs the password, or the username of who has none and has confirmed to be there', async () => {
    const supplier = await createSupplierUser(deps)
    await expect(remove(supplier, { confirmation: 'wrong' })).rejects.toMatchObject({
      code: 'INVALID',
      field: 'confirmation',
    })
    await deps.db
      .updateTable('users')
      .set({ passwordHash: null, googleUid: 'x', googleIssuer: 'x' })
      .execute()
    await expect(remove(supplier, { confirmation: 'else' })).rejects.toMatchObject({
      code: 'INVALID',
    })
    const right = { confirmation: ` ${supplier.username.toUpperCase()}` }
    const from = { ...FROM, sessionIdHash: await createSession(deps, supplier) }
    await expect(remove(supplier, right, from)).rejects.toMatchObject({
      reason: 'confirmation_required',
    })
    await deps.db.updateTable('sessions').set({ confirmedAt: deps.clock.now() }).execute()
    expect(await remove(supplier, right, from)).toEqual({
      deletionAt: new Date(deps.clock.now() + ACCOUNT_GRACE_DAYS * DAY_MS).toISOString(),
    })
    await expect(remove(supplier, right, from)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('tells the people of the supplier and its retailers, and again when it is called off', async () => {
    const supplier = await createSupplierUser(deps)
    const admin = await createAdmin(deps)
    const viewer = await createMember(deps, supplier, 'VIEWER')
    const { user } = await createLinkedRetailer(deps, supplier)
    await remove(admin, { companyId: supplier.id })
    await deps.work()
    await keepAccount(deps, await actorOf(admin), supplier.id)
    await deps.work()
    for (const { id } of [supplier, viewer, user, admin]) {
      expect(await listAlerts(id)).toEqual(['company.leaving', 'company.stays'])
    }
  })

  it('tells who becomes a retailer meanwhile, with its people, and nobody else again', async () => {
    const supplier = await createSupplierUser(deps)
    const admin = await createAdmin(deps)
    const { user: early } = await createLinkedRetailer(deps, supplier)
    await remove(supplier)
    await deps.work()
    const { user: late } = await createLinkedRetailer(deps, supplier)
    await deps.work()
    for (const { id } of [supplier, early, late, admin]) {
      expect(await listAlerts(id)).toEqual(['company.leaving'])
    }
    await keepAccount(deps, await actorOf(supplier), undefined)
    const { user: afterwards } = await createLinkedRetailer(deps, supplier)
    await deps.work()
    expect(await listAlerts(late.id)).toEqual(['company.leaving', 'company.stays'])
    expect(await listAlerts(afterwards.id)).not.toContain('company.leaving')
  })

  it('tells the people of its retailers by mail, too', async () => {
    const mails: string[] = []
    const mail: Mailer = {
      send: async ({ to, subject, text }) => void mails.push(`${to}: ${subject} ${text}`),
      check: async () => undefined,
      close: () => undefined,
    }
    await deps.close()
    deps = await openTestDeps({}, { mail })
    const supplier = await createSupplierUser(deps, { companyName: 'Northbeck' })
    const { user } = await createLinkedRetailer(deps, supplier)
    const buyer = await createMember(deps, user, 'BUYER')
    const addresses = [user, buyer].map(({ id }) => ({
      userId: id,
      address: `shop${id}@example.com`,
    }))
    await deps.db.insertInto('mailAddresses').values(addresses).execute()
    await remove(supplier)
    await deps.work()
    expect(mails.toSorted()).toEqual(
      addresses.map(
        ({ address }) =>
          expect.stringMatching(new RegExp(`^${address}: .*Northbeck`, 's')) as string,
      ),
    )
  })

  it('is for owners and administrators: a member names no company', async () => {
    const supplier = await createSupplierUser(deps)
    const viewer = await createMember(deps, supplier, 'VIEWER')
    await expect(remove(viewer, { companyId: supplier.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await remove(viewer, { scope: 'company' })).toEqual({ deletionAt: null })
    expect(await actorOf(supplier)).toMatchObject({ deletionAt: null })
  })
})
