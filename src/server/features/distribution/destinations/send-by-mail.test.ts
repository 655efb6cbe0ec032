import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_ATTACHED_BYTES } from '../../../../shared/destinations'
import { HOUR_MS } from '../../../../shared/durations'
import {
  openFileMailStage,
  MAILED_CONTENT,
  type FileMailStage,
} from '../../../testing/stages/file-mail-stage'

let stage: FileMailStage
beforeEach(async () => {
  stage = await openFileMailStage()
})
afterEach(() => stage.close())

const messageIds = (name: string) =>
  stage.mailsTo(name).map((source) => /^Message-ID: (\S+)/im.exec(source)?.[1])
const notices = async (userId: number) =>
  stage.deps.db
    .selectFrom('notifications')
    .innerJoin('events', 'events.id', 'notifications.eventId')
    .select(['events.kind', 'events.details'])
    .where('notifications.userId', '=', userId)
    .execute()
const entries = () =>
  stage.deps.db
    .selectFrom('auditEntries')
    .select(['action', 'actorName'])
    .where('noun', '=', 'destination')
    .execute()

describe('a file by mail', () => {
  it('arrives byte by byte as it is, whatever its ends of lines are', async () => {
    const mixed = 'sku,qty\n007,5\r\n008,7\r=20\n.\nä'
    const body = async function* () {
      yield Buffer.from(mixed)
    }
    await stage.send(await stage.putDispatch(), { body })
    expect(stage.attachedTo('ada').text).toBe(mixed)
  })

  it('goes to each person in a mail of its own, attached, with what it is and how to stop it', async () => {
    expect(await stage.send(await stage.putDispatch())).toBe('Sent to 3 people by mail.')
    expect(stage.mails.received.map(({ to }) => to)).toEqual([
      ['ada@shop.example'],
      ['ben@shop.example'],
      ['cleo@shop.example'],
    ])
    const [source = ''] = stage.mailsTo('ada')
    expect(source).toContain('Subject: Your file from Acme: 1,204 rows, 15 Jan 2026\r\n')
    expect(source).toContain('inventory.csv (1,204 rows, 23 Bytes) is attached.')
    expect(source).toContain('Its data is from 15 Jan 2026, 08:30 (UTC).')
    expect(source).toContain('recipient of the destination Buyers')
    expect(source).toContain('https://stock.example.com/retailer/shop')
    expect(stage.attachedTo('ada')).toEqual({
      head: 'Content-Type: text/csv; name=inventory.csv',
      text: MAILED_CONTENT,
    })
    expect(source).toMatch(
      /^List-Unsubscribe: <https:\/\/stock\.example\.com\/unsubscribe\/\d+\.\d+-/m,
    )
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(source).not.toContain('sent again')
  })

  it('leaves out and names whoever has no confirmed address, was deactivated or has left', async () => {
    const { deps, ada, ben } = stage
    await deps.db.deleteFrom('mailAddresses').where('userId', '=', ada.id).execute()
    await deps.db.updateTable('users').set({ isActive: false }).where('id', '=', ben.id).execute()
    expect(await stage.send(await stage.putDispatch())).toBe(
      'Sent to 1 person by mail. Left out: ada (no confirmed address), somebody who has left or was deactivated.',
    )
    expect(stage.mails.received).toHaveLength(1)
  })

  it('is final when nobody can get mail any more', async () => {
    await stage.deps.db.deleteFrom('mailAddresses').execute()
    await expect(stage.send(await stage.putDispatch())).rejects.toMatchObject({
      code: 'bad-address',
    })
  })

  it('is tried again only for whom it was not taken yet', async () => {
    const id = await stage.putDispatch()
    stage.mails.refuseRecipient('ben@shop.example', { code: 451, text: '4.7.1 Greylisted' })
    await expect(stage.send(id)).rejects.toThrow(
      'Sent to 2 people by mail, and not yet to ben (451 4.7.1 Greylisted).',
    )
    stage.mails.refuseRecipient('ben@shop.example', undefined)
    expect(await stage.send(id)).toBe('Sent to 3 people by mail.')
    expect(['ada', 'ben', 'cleo'].map((name) => stage.mailsTo(name).length)).toEqual([1, 1, 1])
    expect(stage.mailsTo('ben')[0]).not.toContain('sent again')
  })

  it('counts as sent to the others when the last try fails for one, who is named', async () => {
    const id = await stage.putDispatch(7)
    stage.mails.refuseRecipient('ben@shop.example', { code: 451, text: '4.7.1 Greylisted' })
    expect(await stage.send(id)).toBe(
      'Sent to 2 people by mail. Left out: ben (451 4.7.1 Greylisted).',
    )
  })

  it('takes out a recipient whose address the mail server does not have, and tells who sees to the shop', async () => {
    stage.mails.refuseRecipient('ben@shop.example', { code: 550, text: '5.1.1 No such user' })
    expect(await stage.send(await stage.putDispatch())).toBe(
      'Sent to 2 people by mail. Left out: ben (550 5.1.1 No such user).',
    )
    const { recipients, isActive } = await stage.readDestination()
    expect([recipients, isActive]).toEqual([[stage.ada.id, stage.cleo.id], true])
    expect(await notices(stage.company.id)).toEqual([
      {
        kind: 'account.recipient-refused',
        details: expect.objectContaining({ personName: 'ben', destinationName: 'Buyers' }),
      },
    ])
    expect(await entries()).toEqual([{ action: 'destination.drop-recipient', actorName: null }])
  })

  it.each([
    [550, '5.7.1 Relay access denied'],
    [554, 'Sender rejected'],
  ])('takes nobody out for the refusal %s %s, which is not of an address', async (code, text) => {
    for (const name of ['ada', 'ben', 'cleo']) {
      stage.mails.refuseRecipient(`${name}@shop.example`, { code, text })
    }
    await expect(stage.send(await stage.putDispatch())).rejects.toMatchObject({
      code: 'connect-failed',
    })
    expect((await stage.readDestination()).recipients).toHaveLength(3)
  })

  it('is switched off when nobody is left, and says so', async () => {
    for (const name of ['ada', 'ben', 'cleo']) {
      stage.mails.refuseRecipient(`${name}@shop.example`, { code: 550, text: '5.1.1 No such user' })
    }
    await expect(stage.send(await stage.putDispatch())).rejects.toMatchObject({
      code: 'bad-address',
    })
    const { recipients, isActive } = await stage.readDestination()
    expect([recipients, isActive]).toEqual([[], false])
  })

  it('comes again with the same Message-ID, marked, when nobody knows whether it arrived', async () => {
    const id = await stage.putDispatch()
    stage.mails.afterEach('hang up')
    await expect(stage.send(id)).rejects.toMatchObject({ code: 'connect-failed' })
    stage.mails.afterEach('answer')
    await stage.send(id)
    const [first, second] = messageIds('ada')
    expect(first).toBe(second)
    const [before, after] = stage.mailsTo('ada')
    expect(before).not.toContain('sent again')
    expect(after).toContain('This mail was sent again: you may have it already.')
    // The next file has another one.
    await stage.send(await stage.putDispatch())
    expect(messageIds('ada')[2]).not.toBe(first)
  })

  it('comes again, marked, after the process died between sending and recording', async () => {
    const id = await stage.putDispatch()
    const { db } = stage.deps
    // What such a process leaves behind: the mail is out, and its row says that it was begun.
    await stage.send(id)
    await db
      .updateTable('fileMails')
      .set({ status: 'begun' })
      .where('userId', '=', stage.ben.id)
      .execute()
    expect(await stage.send(id)).toBe('Sent to 3 people by mail.')
    expect(['ada', 'ben', 'cleo'].map((name) => stage.mailsTo(name).length)).toEqual([1, 2, 1])
    expect(new Set(messageIds('ben')).size).toBe(1)
    expect(stage.mailsTo('ben')[1]).toContain('sent again')
  })

  it('arrives whole or not at all: a file that cannot be read to its end breaks the mail off', async () => {
    const broken = async function* () {
      yield Buffer.from('sku,qty\r\n007')
      throw new Error('The disk is gone')
    }
    const id = await stage.putDispatch()
    await expect(stage.send(id, { body: broken })).rejects.toThrow('The disk is gone')
    expect(stage.mails.received).toEqual([])
    expect(await stage.send(id)).toBe('Sent to 3 people by mail.')
    expect(stage.mailsTo('ada')[0]).not.toContain('sent again')
  })

  it('is sent only so often an hour to the people of a company, and then later', async () => {
    stage.deps.limits.mailFile = { max: 2, windowMs: HOUR_MS }
    const id = await stage.putDispatch()
    await expect(stage.send(id)).rejects.toThrow(
      'Sent to 2 people by mail, and not yet to cleo (enough mails with files were sent to this company within an hour).',
    )
    stage.deps.clock.advance(HOUR_MS)
    expect(await stage.send(id)).toBe('Sent to 3 people by mail.')
  })

  it('names no address that a mail server repeats in its answer: suppliers read what became of it', async () => {
    const text = '4.2.2 <ben@shop.example>: Mailbox of ben@shop.example full'
    stage.mails.refuseRecipient('ben@shop.example', { code: 452, text })
    const names = [/to ben \(/, /^(?!.*@)/]
    for (const id of [await stage.putDispatch(), null]) {
      const failure = stage.send(id).then(String, (error: Error) => error.message)
      for (const name of names) expect(await failure).toMatch(id === null ? names[1]! : name)
    }
    const mails = await stage.deps.db.selectFrom('fileMails').select('answer').execute()
    expect(JSON.stringify(mails)).not.toContain('@')
  })

  it('counts a trial among those of the hour', async () => {
    stage.deps.limits.mailFile = { max: 4, windowMs: HOUR_MS }
    await stage.send(null)
    await expect(stage.send(null)).rejects.toThrow(
      'The mail was not taken for ben (enough mails with files were sent to this company within an hour), cleo (',
    )
    expect(stage.mails.received).toHaveLength(4)
  })

  it('is a link when it is larger than what is attached', async () => {
    const unread = () => {
      throw new Error('It is not read')
    }
    const sizeBytes = MAX_ATTACHED_BYTES + 1
    await stage.send(await stage.putDispatch(), { body: unread, sizeBytes })
    const [source = ''] = stage.mailsTo('ada')
    expect(source).toMatch(/https:\/\/stock\.example\.com\/files\/[\da-f]{64}/)
    expect(source).toContain(
      'The link works until 22 Jan 2026, 08:30 (UTC), as often as you open it.',
    )
    expect(source).not.toContain('Content-Disposition: attachment')
  })

  it('can be tried with a made-up row, which no history and no link knows of', async () => {
    expect(await stage.send(null)).toBe(
      'The mail server took a small file for 3 people: see whether it arrives.',
    )
    expect(stage.mailsTo('ada')[0]).toContain('Subject: A trial of your file from Acme\r\n')
    expect(await stage.deps.db.selectFrom('fileMails').selectAll().execute()).toEqual([])
  })

  it('goes once to those who are left after somebody was taken out, in a job of its own', async () => {
    const { deps } = stage
    const look = () =>
      deps.db.updateTable('destinations').set({ checkAt: deps.clock.now() }).execute()
    stage.mails.refuseRecipient('ben@shop.example', { code: 550, text: '5.1.1 No such user' })
    await deps.db.updateTable('connections').set({ publishedVersionId: stage.version.id }).execute()
    await look()
    await deps.work()
    await look()
    await deps.work()
    expect(['ada', 'ben', 'cleo'].map((name) => stage.mailsTo(name).length)).toEqual([1, 0, 1])
    const dispatches = await deps.db.selectFrom('dispatches').selectAll().execute()
    expect(dispatches).toMatchObject([
      {
        status: 'sent',
        answer: 'Sent to 2 people by mail. Left out: ben (550 5.1.1 No such user).',
      },
    ])
  })
})
