import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { MAX_MAIL_BYTES, MAX_WAITING_MAILS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import { CSV, toBody, writeMail } from '../../../testing/fixtures/mails'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { allowSenders, createMailInbox, revokeMailInbox } from './mail-inboxes'
import { discardMail, listMails, takeMail } from './mails'
import { isForLater, receiveMail } from './receive-mail'

let stage: ByHandStage
let address: string
beforeEach(async () => {
  stage = await openByHandStage({}, { mailInboxDomain: 'in.example.com' })
  address = (await createMailInbox(stage.deps, stage.supplier, stage.id)).address
})
afterEach(() => stage.close())

const { signal } = new AbortController()
const receive = (message: Buffer, recipient = address) =>
  receiveMail(stage.deps, { recipient, body: toBody(message), signal })
const allow = (...allowedSenders: string[]) =>
  allowSenders(stage.deps, stage.supplier, { id: stage.id, allowedSenders })
const mails = () => listMails(stage.deps, stage.supplier, stage.id)
const reasons = async () => (await mails()).map(({ reason }) => reason)
async function storedFiles(): Promise<number> {
  let count = 0
  for await (const _ of stage.deps.files.list()) count++
  return count
}
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => ({ message: (error as Error).message, isForLater: isForLater(error) }),
  )

describe('a mail of an allowed sender', () => {
  it('is taken, and its file published', async () => {
    await allow('stock@acme.example')
    expect(await receive(writeMail())).toBe('taken')
    expect(await mails()).toMatchObject([
      { sender: 'stock@acme.example', subject: 'Stock of today', state: 'taken', sizeBytes: 21 },
    ])
    await stage.deps.work()
    expect(await stage.states()).toEqual({ 'stock.csv': 'published' })
    expect(await stage.publishedText()).toBe(CSV)
    const rows = await stage.deps.db.selectFrom('receivedFiles').selectAll().execute()
    expect(rows).toMatchObject([{ way: 'mail', sender: 'stock@acme.example', receivedBy: null }])
  })

  it.each([
    ['*@acme.example', 'taken'],
    ['*@example', 'waiting'],
    ['STOCK@acme.example', 'taken'],
    ['other@acme.example', 'waiting'],
  ])('is known by %s: %s', async (allowed, settled) => {
    await allow(...[allowed].map((text) => text.toLowerCase()))
    expect(await receive(writeMail({ from: 'Stock@ACME.example' }))).toBe(settled)
  })

  it('is read once, however often it comes, and whatever was added on its way', async () => {
    await allow('stock@acme.example')
    await receive(writeMail())
    const again = writeMail({ above: ['Received: from b by c'], subject: '[ext] Stock of today' })
    expect(await receive(again)).toBe('taken')
    expect(await mails()).toHaveLength(1)
    expect(await stage.received()).toHaveLength(1)
  })

  it('is read once when it comes several times at once', async () => {
    await allow('stock@acme.example')
    const results = await Promise.allSettled([receive(writeMail()), receive(writeMail())])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await stage.received()).toHaveLength(1)
  })

  it('waits while the connection is paused', async () => {
    await allow('stock@acme.example')
    await updateConnection(stage.deps, stage.supplier, { id: stage.id, isActive: false })
    expect(await receive(writeMail())).toBe('waiting')
    expect(await reasons()).toEqual(['The connection is paused.'])
  })
})

it('sixty mails come in an hour, besides those that came while two others did', async () => {
  await allow('stock@acme.example')
  stage.deps.limits.receiveMail = { max: 3, windowMs: HOUR_MS }
  const rest = Promise.withResolvers<void>()
  async function* slowly(message: Buffer) {
    await rest.promise
    yield message
  }
  const ids = ['<1@acme.example>', '<2@acme.example>']
  const coming = ids.map((id) =>
    receiveMail(stage.deps, { recipient: address, body: slowly(writeMail({ id })), signal }),
  )
  await vi.waitFor(async () => {
    expect(await stage.deps.db.selectFrom('uploads').selectAll().execute()).toHaveLength(2)
  })
  const third = writeMail({ id: '<3@acme.example>' })
  for (let time = 0; time < 3; time++) {
    const turnedAway = { message: '2 files are being sent already', isForLater: true }
    expect(await refusalOf(receive(third))).toEqual(turnedAway)
  }
  rest.resolve()
  expect(await Promise.all(coming)).toEqual(['taken', 'taken'])
  expect(await receive(third)).toBe('taken')
  const fourth = await refusalOf(receive(writeMail({ id: '<4@acme.example>' })))
  expect(fourth?.message).toContain('Too many attempts')
})

it('is counted by what became of it', async () => {
  await allow('stock@acme.example')
  await receive(writeMail())
  await refusalOf(receive(writeMail(), 'nobody@in.example.com'))
  const { text } = await stage.deps.metrics.scrape()
  const lines = text.split('\n').filter((line) => line.startsWith('stockbridge_mails_total'))
  expect(lines).toEqual([
    'stockbridge_mails_total{outcome="taken"} 1',
    'stockbridge_mails_total{outcome="refused"} 1',
  ])
})

describe('a mail of somebody else', () => {
  it('waits, until its file is taken', async () => {
    await allow('other@acme.example')
    expect(await receive(writeMail())).toBe('waiting')
    const [mail] = await mails()
    expect(mail).toMatchObject({
      reason: 'Its sender is not one of the allowed ones.',
      fileName: 'stock.csv',
    })
    expect(await stage.received()).toEqual([])
    await takeMail(stage.deps, stage.supplier, {
      id: stage.id,
      mailId: mail!.id,
      allowsSender: true,
    })
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(CSV)
    expect(await mails()).toMatchObject([
      { state: 'taken', reason: null, decidedBy: stage.supplier.username },
    ])
    expect(await receive(writeMail({ id: '<2@acme.example>' }))).toBe('taken')
  })

  it('leaves nothing once it is discarded, and stays so when it comes again', async () => {
    await receive(writeMail())
    expect(await storedFiles()).toBe(1)
    const [mail] = await mails()
    const input = { id: stage.id, mailId: mail!.id }
    await discardMail(stage.deps, stage.supplier, input)
    expect(await storedFiles()).toBe(0)
    await expect(discardMail(stage.deps, stage.supplier, input)).rejects.toThrow('does not wait')
    const taken = takeMail(stage.deps, stage.supplier, { ...input, allowsSender: false })
    await expect(taken).rejects.toThrow('does not wait')
    expect(await receive(writeMail())).toBe('waiting')
    expect(await mails()).toMatchObject([{ state: 'discarded' }])
    expect(await storedFiles()).toBe(0)
  })

  it('is kept by the clean-up while it waits', async () => {
    await receive(writeMail())
    stage.deps.clock.advance(HOUR_MS)
    await cleanStorage(stage.deps, signal)
    expect(await storedFiles()).toBe(1)
  })

  it(`waits with ${MAX_WAITING_MAILS - 1} others at most; more are to come again later`, async () => {
    for (let count = 0; count < MAX_WAITING_MAILS; count++) {
      await receive(writeMail({ id: `<${count}@acme.example>` }))
    }
    const refused = await refusalOf(receive(writeMail({ id: '<more@acme.example>' })))
    expect(refused).toMatchObject({ isForLater: true })
    expect(await mails()).toHaveLength(MAX_WAITING_MAILS)
    expect(await receive(writeMail({ id: '<1@acme.example>' }))).toBe('waiting')
  })

  it('is told to the supplier, at most once an hour', async () => {
    const told = async () =>
      (await stage.deps.db.selectFrom('events').select('kind').execute()).map(({ kind }) => kind)
    await receive(writeMail())
    await receive(writeMail({ id: '<2@acme.example>' }))
    expect(await told()).toEqual(['feed.mail-waiting'])
    stage.deps.clock.advance(HOUR_MS)
    await receive(writeMail({ id: '<3@acme.example>' }))
    expect(await told()).toHaveLength(2)
  })
})

describe('a mail that cannot be read', () => {
  it.each([
    [
      'without a table',
      [],
      'No table is attached to it: attach a file such as stock.csv or stock.xlsx.',
    ],
    [
      'of Outlook',
      [{ name: 'winmail.dat', type: 'application/ms-tnef' }],
      'Its attachments are packed in winmail.dat, which only Outlook can open. Send it as plain text or HTML.',
    ],
  ])('%s is refused for good, and listed', async (_, attachments, message) => {
    const refused = { message, isForLater: false }
    expect(await refusalOf(receive(writeMail({ attachments })))).toEqual(refused)
    expect(await refusalOf(receive(writeMail({ attachments })))).toEqual(refused)
    expect(await mails()).toMatchObject([{ state: 'refused', reason: message, fileName: null }])
  })

  it('with too many parts is refused for good', async () => {
    const attachments = Array.from({ length: 1_001 }, () => ({ content: '1' }))
    expect(await refusalOf(receive(writeMail({ attachments })))).toMatchObject({
      isForLater: false,
    })
    expect(await reasons()).toEqual(['The message has too many parts, or too long headers.'])
    expect(await storedFiles()).toBe(0)
  })

  it('for its size is refused before it is read', async () => {
    const large = writeMail({ attachments: [{ content: Buffer.alloc(MAX_MAIL_BYTES) }] })
    expect(await refusalOf(receive(large))).toMatchObject({ isForLater: false })
    expect(await mails()).toEqual([])
  })
})

describe('an address', () => {
  it('is found whatever its case, and whatever stands before the token', async () => {
    const [, token] = address.split('+')
    expect(address).toMatch(/^stock\+[a-z2-7]{16}@in\.example\.com$/)
    for (const recipient of [address.toUpperCase(), `<x+y+${token}>`]) {
      expect(await receive(writeMail(), recipient)).toBe('waiting')
    }
  })

  it('is unknown once it is replaced, revoked, or of a deactivated supplier', async () => {
    const unknown = { message: 'Mailbox not found', isForLater: false }
    const { address: next } = await createMailInbox(stage.deps, stage.supplier, stage.id)
    expect(await refusalOf(receive(writeMail()))).toEqual(unknown)
    expect(await receive(writeMail(), next)).toBe('waiting')
    await stage.deps.db.updateTable('users').set({ isActive: false }).execute()
    expect(await refusalOf(receive(writeMail(), next))).toEqual(unknown)
    await stage.deps.db.updateTable('users').set({ isActive: true }).execute()
    await revokeMailInbox(stage.deps, stage.supplier, stage.id)
    expect(await refusalOf(receive(writeMail(), next))).toEqual(unknown)
    const other = address.replace('in.example.com', 'other.example')
    expect(await refusalOf(receive(writeMail(), other))).toEqual(unknown)
  })
})
