import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createDestinationInput,
  updateDestinationInput,
} from '../../../../shared/schemas/destination'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import { FileError } from '../../../files/file-error'
import { createLinkedRetailer, createMember } from '../../../testing/fixtures/factories'
import { openDispatchStage, type DispatchStage } from '../../../testing/stages/dispatch-stage'
import { openDestination } from './destination-address'
import {
  changeTimeZone,
  createDestination,
  deleteDestination,
  listDestinations,
  updateDestination,
} from './destinations'
import { findDestination } from './destinations.queries'
import { resealDestinations } from './seal-destinations'
import { testDestination, testNewDestination } from './try-destination'

const SFTP = {
  url: 'sftp://files.example.com/in',
  auth: { type: 'basic' as const, username: 'acme', password: 'hunter-two' },
}
const KEY = `ssh-ed25519 SHA256:${'a'.repeat(43)}`

let stage: DispatchStage
beforeEach(async () => {
  stage = await openDispatchStage()
})
afterEach(() => stage.close())

const parse = (settings: object) =>
  createDestinationInput.parse({ id: stage.retailer.id, name: 'Warehouse', ...settings })
const create = (settings: object, actor = stage.retailer.user) =>
  createDestination(stage.deps, actor, parse(settings))
const update = async (settings: object, actor = stage.retailer.user) =>
  updateDestination(
    stage.deps,
    actor,
    updateDestinationInput.parse({
      id: stage.retailer.id,
      destinationId: await only(),
      ...settings,
    }),
  )
/** The one that there is. */
const only = async () =>
  (await stage.deps.db.selectFrom('destinations').select('id').executeTakeFirstOrThrow()).id
const open = async () => {
  const id = await only()
  const row = await findDestination(stage.deps.db, {
    id,
    retailerId: stage.retailer.id,
    mergedFileId: null,
  })
  return openDestination(stage.deps, row!)
}
const addressesOf = (kind: string) =>
  stage.deps.db
    .selectFrom('events')
    .selectAll()
    .where('kind', '=', kind as never)
    .execute()

describe('the address of a destination', () => {
  it('is a folder at a server of files and in a bucket, with or without a slash at its end', async () => {
    const { destinations } = await create({ config: SFTP })
    expect(destinations).toMatchObject([
      { kind: 'sftp', method: null, config: { url: 'sftp://files.example.com/in/' } },
    ])
    const s3 = { type: 's3', accessKeyId: 'AK', secretAccessKey: 'secret', region: 'eu-west-1' }
    const listed = await create({ config: { url: 's3://bucket', auth: s3 } })
    expect(listed.destinations[1]).toMatchObject({ kind: 's3', config: { url: 's3://bucket/' } })
  })

  it('has its user name and password taken out', async () => {
    const { destinations } = await create({ config: { url: 'ftps://me:pw@files.example.com/' } })
    expect(destinations[0]!.config).toMatchObject({
      url: 'ftps://files.example.com/',
      auth: { type: 'basic', username: 'me', password: SECRET_MASK },
    })
  })

  it.each([
    ['sftp://files.example.com/stock_*.csv', 'a * cannot stand for'],
    ['https://docs.google.com/spreadsheets/d/abc/edit', 'a link for reading a file'],
    ['gopher://example.com/', 'Only http, https, s3, sftp, ftp and ftps addresses can be used'],
  ])('is refused as %s', (url, why) => {
    expect(() => parse({ config: { url } })).toThrow(why)
  })

  it('says nothing of what is done with files that were read', async () => {
    const transfer = { afterReading: { action: 'delete' } }
    await expect(create({ config: { ...SFTP, transfer } })).rejects.toThrow('files that were read')
  })
})

describe('the secrets of a destination', () => {
  it('are stored encrypted, and shown to nobody', async () => {
    const { destinations } = await create({ config: SFTP })
    const stored = JSON.stringify(
      await stage.deps.db.selectFrom('destinations').selectAll().execute(),
    )
    expect(stored + JSON.stringify(destinations)).not.toContain('hunter-two')
    expect(await open()).toMatchObject({
      url: 'sftp://files.example.com/in/',
      server: { login: { username: 'acme', password: 'hunter-two' } },
    })
    const audit = await stage.deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    expect(JSON.stringify(audit)).not.toContain('hunter-two')
    expect(audit.at(-1)).toMatchObject({ action: 'destination.create' })
  })

  it('are kept when they are left out at the same server, and dropped at another', async () => {
    await create({ config: { ...SFTP, transfer: { hostKeys: [KEY] } } })
    const { password: _, ...auth } = SFTP.auth
    await update({ config: { url: 'sftp://files.example.com/other/', auth } })
    expect(await open()).toMatchObject({
      url: 'sftp://files.example.com/other/',
      server: { hostKeys: [KEY], login: { password: 'hunter-two' } },
    })
    const elsewhere = update({ config: { url: 'sftp://evil.example.com/in/', auth } })
    await expect(elsewhere).rejects.toThrow('Password is required')
  })

  it('of a web address go to no other one that a supplier enters, also at the same host', async () => {
    const url = 'https://hooks.example.com/in/shop'
    await create({ config: { url, auth: { type: 'bearer', token: 'hunter-two' } } })
    const sent = async () => JSON.stringify((await open()).credentials ?? null)
    const before = await listDestinations(stage.deps, stage.supplier, stage.retailer.id)
    const { name, config } = before.destinations[0]!
    await update({ name, config: { url: config!.url } }, stage.supplier)
    expect(await sent()).toContain('hunter-two')
    const evil = { url: 'https://hooks.example.com/in/evil' }
    const masked = { ...evil, auth: { type: 'bearer' } }
    const trial = { ...parse({ config: evil }), destinationId: await only() }
    await testNewDestination(stage.deps, stage.supplier, trial)
    expect(stage.sender.received).toMatchObject([{ address: evil.url }])
    expect(JSON.stringify(stage.sender.received)).not.toContain('hunter-two')
    await expect(update({ config: masked }, stage.supplier)).rejects.toThrow('required')
    expect(await sent()).toContain('hunter-two')
    await update({ config: evil }, stage.supplier)
    expect(await sent()).toBe('null')
    await update({ config: { url, auth: { type: 'bearer', token: 'hunter-two' } } })
    await update({ config: { url: 'https://hooks.example.com/in/own' } })
    expect(await sent()).toContain('hunter-two')
  })

  it('of one retailer open nothing of another', async () => {
    await create({ config: SFTP })
    await stage.deps.db.updateTable('destinations').set({ name: 'moved' }).execute()
    const row = await findDestination(stage.deps.db, {
      id: await only(),
      retailerId: stage.retailer.id,
      mergedFileId: null,
    })
    const moved = { ...row!, retailerId: stage.retailer.id + 1 }
    expect(() => openDestination(stage.deps, moved)).toThrow('of this destination were damaged')
  })

  it('are encrypted anew with all that is known of the server', async () => {
    await create({ config: { ...SFTP, transfer: { hostKeys: [KEY] } } })
    const before = await stage.deps.db.selectFrom('destinations').select('config').execute()
    const secrets = { ...stage.deps.secrets, isCurrent: () => false }
    expect(await resealDestinations({ ...stage.deps, secrets })).toMatchObject({ sealed: 1 })
    const after = await stage.deps.db.selectFrom('destinations').select('config').execute()
    expect(after).not.toEqual(before)
    expect(await open()).toMatchObject({
      server: { hostKeys: [KEY], login: { password: 'hunter-two' } },
    })
  })

  it('in an address are shown to the people of the retailer only', async () => {
    const url = 'https://hooks.example.com/in?token=abcdef'
    await create({ config: { url } })
    const show = async (actor = stage.retailer.user) =>
      (await listDestinations(stage.deps, actor, stage.retailer.id)).destinations[0]!.config!.url
    expect(await show()).toBe(url)
    const masked = await show(stage.supplier)
    expect(masked).toBe(`https://hooks.example.com/${SECRET_MASK}`)
    await update({ name: 'Renamed', config: { url: masked } }, stage.supplier)
    expect(await show()).toBe(url)
  })
})

describe('the destinations of a retailer', () => {
  it('are five at most', async () => {
    for (let place = 0; place < 5; place++) await create({ config: SFTP })
    await expect(create({ config: SFTP })).rejects.toThrow('at most 5 destinations')
  })

  it('are changed field by field', async () => {
    await create({ config: SFTP, times: ['18:00', '06:00', '06:00'] })
    const { destinations } = await update({ name: 'Depot', isActive: false })
    expect(destinations).toMatchObject([
      { name: 'Depot', times: ['06:00', '18:00'], isActive: false, state: 'off', nextAt: null },
    ])
  })

  it('are nobody else’s', async () => {
    const { destinations } = await create({ config: SFTP })
    const other = await createLinkedRetailer(stage.deps, stage.supplier)
    const place = { id: other.id, destinationId: destinations[0]!.id }
    await expect(deleteDestination(stage.deps, other.user, place)).rejects.toThrow('not found')
    const foreign = { id: stage.retailer.id, destinationId: destinations[0]!.id }
    await expect(deleteDestination(stage.deps, other.user, foreign)).rejects.toThrow('not found')
  })

  it('leave their history behind', async () => {
    await stage.publish('sku\r\n1\r\n')
    const destinationId = await stage.add()
    await deleteDestination(stage.deps, stage.retailer.user, {
      id: stage.retailer.id,
      destinationId,
    })
    const rows = await stage.deps.db.selectFrom('dispatches').selectAll().execute()
    expect(rows).toMatchObject([
      { destinationId: null, destinationName: 'Warehouse', status: 'sent' },
    ])
  })

  it('are told to those who see to the shop, and not to who has added them', async () => {
    const technician = await createMember(stage.deps, stage.retailer.user, 'TECHNICIAN')
    await createMember(stage.deps, stage.retailer.user, 'BUYER')
    await create({ config: SFTP })
    const told = await stage.deps.db
      .selectFrom('notifications')
      .innerJoin('events', 'events.id', 'notifications.eventId')
      .select('notifications.userId')
      .where('events.kind', '=', 'account.destination-changed')
      .execute()
    expect(told).toEqual([{ userId: technician.id }])
    expect(await addressesOf('account.destination-changed')).toMatchObject([
      { details: { destinationName: 'Warehouse', storeNames: ['Corner Shop'] } },
    ])
  })

  it('with times are looked at by the clock of the retailer', async () => {
    await create({ config: SFTP, times: ['10:00'] })
    const { destinations, timeZone } = await changeTimeZone(stage.deps, stage.retailer.user, {
      id: stage.retailer.id,
      timeZone: 'Europe/Berlin',
    })
    expect(timeZone).toBe('Europe/Berlin')
    // It is 09:30 there.
    expect(destinations[0]!.nextAt).toBe('2026-01-15T09:00:00.000Z')
  })
})

describe('a destination by mail', () => {
  it('reaches only people of the company with a confirmed address', async () => {
    const { user } = stage.retailer
    const stranger = stage.supplier
    await stage.deps.db
      .insertInto('mailAddresses')
      .values([
        { userId: user.id, address: 'shop@example.com' },
        { userId: stranger.id, address: 'acme@example.com' },
      ])
      .execute()
    const buyer = await createMember(stage.deps, user, 'BUYER')
    for (const id of [buyer.id, stranger.id, 999]) {
      await expect(create({ recipients: [user.id, id] })).rejects.toThrow('Mail goes only to')
    }
    const list = await create({ recipients: [user.id] })
    expect(list.destinations).toMatchObject([{ kind: 'mail', config: null, recipients: [user.id] }])
    expect(list.people).toMatchObject([{ address: 'shop@example.com' }, { address: null }])
    const seen = await listDestinations(stage.deps, stranger, stage.retailer.id)
    expect(seen.people[0]!.address).toBe(`${SECRET_MASK}@example.com`)
  })

  it('has no address besides', async () => {
    const both = { config: SFTP, recipients: [stage.retailer.user.id] }
    await expect(create(both)).rejects.toThrow('either to an address or to people')
    await expect(create({})).rejects.toThrow('Enter where the file is sent to')
  })
})

describe('a trial', () => {
  it('sends a small file under a name that no file has, and tells what was answered', async () => {
    const place = { id: stage.retailer.id, destinationId: await stage.add() }
    await testDestination(stage.deps, stage.retailer.user, place)
    expect(await testDestination(stage.deps, stage.retailer.user, place)).toEqual({
      isOk: true,
      text: 'Answered 201',
    })
    const name = expect.stringMatching(/^stockbridge-test-[\da-f]{16}\.csv$/)
    const trial = { isTrial: true, fileName: name }
    expect(stage.sender.received).toMatchObject([trial, trial])
    expect(new Set(stage.sender.received.map(({ fileName }) => fileName)).size).toBe(2)
    expect(await stage.deps.db.selectFrom('dispatches').selectAll().execute()).toEqual([])
  })

  it('shows the key of a server before the destination is saved', async () => {
    stage.sender.greet = async () => {
      throw new FileError('host-key-unknown', 'Confirm the key.', { hostKey: KEY })
    }
    const trial = await testNewDestination(stage.deps, stage.retailer.user, parse({ config: SFTP }))
    expect(trial).toEqual({ isOk: false, text: 'Confirm the key.', hostKey: KEY })
    const { destinations } = await listDestinations(
      stage.deps,
      stage.retailer.user,
      stage.retailer.id,
    )
    expect(destinations).toEqual([])
  })
})
