import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { openInbox } from '../../../inbox/inbox-process'
import { writePlain, writeReport } from '../../../testing/fixtures/mail-reports'
import { toBody, writeMail } from '../../../testing/fixtures/mails'
import { findFreePort } from '../../../testing/servers/free-port'
import { openFileMailStage, type FileMailStage } from '../../../testing/stages/file-mail-stage'
import { sendRaw } from '../../../testing/stages/mail-stage'
import { listDispatches } from '../../distribution/destinations/dispatch-list'
import { putFileMail } from '../../distribution/destinations/file-mails.queries'
import { receiveMail } from './receive-mail'

const SECRET = 'a-secret-of-the-mail-service'
const INBOX = { mailInboxDomain: 'in.example.com', mailInboxSecret: SECRET }
const LATE = { action: 'delayed', status: '4.4.1', diagnostic: 'smtp; 451 timed out' }

let stage: FileMailStage
beforeEach(async () => {
  stage = await openFileMailStage(undefined, INBOX)
})
afterEach(() => stage.close())

/** Where the newest mail to somebody would come back to. */
const returnPathOf = (name: string) =>
  stage.mails.received.findLast(({ to }) => to.includes(`${name}@shop.example`))?.from ?? ''
const report = (recipient: string, message = writeReport()) => {
  const { signal } = new AbortController()
  return receiveMail(stage.deps, { recipient, body: toBody(message), signal })
}
async function sent(): Promise<number> {
  const id = await stage.putDispatch()
  const answer = await stage.send(id)
  const changes = { status: 'sent', answer } as const
  await stage.deps.db.updateTable('dispatches').set(changes).where('id', '=', id).execute()
  return id
}
async function answers(): Promise<(string | null)[]> {
  const view = { id: stage.retailerId, q: '', page: 1, size: 25 } as const
  const { rows } = await listDispatches(stage.deps, stage.supplier, view)
  return rows.map(({ answer }) => answer)
}
const notices = async () =>
  (
    await stage.deps.db
      .selectFrom('events')
      .select('details')
      .where('kind', '=', 'account.recipient-refused')
      .execute()
  ).map(({ details }) => details)
const recipients = async () => (await stage.readDestination()).recipients
const outcomes = async () => {
  const { text } = await stage.deps.metrics.scrape()
  return [...text.matchAll(/stockbridge_mails_total\{outcome="(\w+)"\} (\d+)/g)].map(
    ([, outcome, count]) => `${outcome} ${count}`,
  )
}

describe('a mail with a file', () => {
  it('comes back to an address of its own, that mail servers accept and nobody guesses', async () => {
    await sent()
    await sent()
    const all = stage.mails.received.map(({ from }) => from)
    expect(new Set(all).size).toBe(6)
    for (const from of all) {
      expect(from).toMatch(/^bounce\+[\da-z.]{40,56}@in\.example\.com$/)
    }
    const dump = await stage.deps.db.selectFrom('fileMails').selectAll().execute()
    expect(JSON.stringify(dump)).not.toContain(returnPathOf('ben').slice(-44, -15))
  })

  it('comes back to the sender of all mails where none are received', async () => {
    Object.assign(stage.deps.config, { mailInboxSecret: undefined })
    await sent()
    expect(returnPathOf('ben')).toBe('stock@example.com')
  })

  it('is sent from the sender of all mails where the mail server refuses the other one', async () => {
    stage.mails.refuseSenders(/^bounce/)
    await sent()
    expect(stage.mails.received.map(({ from }) => from)).toEqual(Array(3).fill('stock@example.com'))
    expect(stage.attachedTo('ben').text).toContain('007,5')
  })

  it('is answered by no program that is polite', async () => {
    await sent()
    expect(stage.mailsTo('ben')[0]).toContain('Auto-Submitted: auto-generated')
  })
})

describe('a report that it was refused for good', () => {
  it('is told in the row of the file, ends sending to that person, and is told once', async () => {
    const id = await sent()
    expect(await report(returnPathOf('ben'))).toBe('noted')
    expect(await answers()).toEqual([
      'Sent to 3 people by mail. Came back: ben (550 5.1.1 … No such user).',
    ])
    expect(await recipients()).toEqual([stage.ada.id, stage.cleo.id])
    expect(await report(returnPathOf('ben'))).toBe('dropped')
    expect(await notices()).toEqual([
      {
        onlyUserId: stage.company.id,
        destinationName: 'Buyers',
        personName: 'ben',
        reason: '550 5.1.1 … No such user',
        storeNames: [expect.any(String)],
      },
    ])
    expect(await outcomes()).toEqual(['noted 1', 'dropped 1'])
    // Another attempt leaves out who has refused it.
    await stage.deps.db
      .updateTable('destinations')
      .set({ recipients: [stage.ben.id] })
      .execute()
    await expect(stage.send(id)).rejects.toThrow('ben (550 5.1.1')
    expect(stage.mailsTo('ben')).toHaveLength(1)
  })

  it('is told by a mail that could not come back itself', async () => {
    const { deps, company } = stage
    const keeper = { userId: company.id, address: 'owner@shop.example' }
    await deps.db.insertInto('mailAddresses').values(keeper).execute()
    await sent()
    await report(returnPathOf('ben'))
    await deps.work()
    const told = stage.mails.received.filter(({ to }) => to.includes(keeper.address))
    expect(told.map(({ from }) => from)).toEqual([''])
    expect(told[0]?.source).toContain('gets no more files by e-mail')
  })

  it('counts when it comes before it was recorded that the mail was sent', async () => {
    const dispatchId = await sent()
    const { db } = stage.deps
    await db.updateTable('fileMails').set({ status: 'begun' }).execute()
    expect(await report(returnPathOf('ben'))).toBe('noted')
    expect(await recipients()).not.toContain(stage.ben.id)
    const mail = { dispatchId, userId: stage.ben.id, status: 'sent', answer: null } as const
    await inTransaction(stage.deps.db, (trx) => putFileMail(trx, mail))
    expect(await answers()).toEqual([expect.stringContaining('Came back: ben')])
  })
})

describe('a report that it is late', () => {
  it('is only told in the row of the file, the newest of them', async () => {
    await sent()
    expect(await report(returnPathOf('ben'), writeReport(LATE))).toBe('noted')
    const later = { ...LATE, diagnostic: 'smtp; 451 still timed out' }
    expect(await report(returnPathOf('ben'), writeReport(later))).toBe('noted')
    expect(await answers()).toEqual([
      'Sent to 3 people by mail. Not delivered yet: ben (4.4.1 451 still timed out).',
    ])
    expect([await recipients(), await notices()]).toEqual([
      [stage.ada.id, stage.ben.id, stage.cleo.id],
      [],
    ])
  })
})

describe('what comes to such an address', () => {
  it.each([
    ['a mail with a file', writeMail()],
    ['the answer of somebody on holiday', writePlain('I am away.', 'Out of office')],
  ])('is dropped and counted when it is no report, as %s', async (_, message) => {
    await sent()
    expect(await report(returnPathOf('ben'), message)).toBe('dropped')
    expect([await outcomes(), await recipients()]).toEqual([['dropped 1'], expect.any(Array)])
    expect(await stage.deps.db.selectFrom('mails').selectAll().execute()).toEqual([])
    expect((await stage.deps.db.selectFrom('receivedFiles').selectAll().execute()).length).toBe(0)
  })

  it('is refused like that of any other address when it was not made here', async () => {
    await sent()
    const right = returnPathOf('ben')
    const at = right.indexOf('@')
    const flipped = right[at - 1] === '0' ? '1' : '0'
    const forged = [
      `${right.slice(0, at - 1)}${flipped}${right.slice(at)}`,
      // That of somebody else, with another person's number.
      right.replace(/\.(\w+)\./, '.zz.'),
      right.replace('in.example.com', 'elsewhere.example'),
      'bounce+1.1.1.000000.@in.example.com',
    ]
    for (const address of forged) {
      await expect(report(address), address).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect((await recipients()).length).toBe(3)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['after two weeks', async () => stage.deps.clock.advance(14 * DAY_MS + 1)],
    [
      'when the person has another address',
      () =>
        stage.deps.db
          .updateTable('mailAddresses')
          .set({ address: 'new@shop.example' })
          .where('userId', '=', stage.ben.id)
          .execute(),
    ],
    ['when the destination is gone', () => stage.deps.db.deleteFrom('destinations').execute()],
    ['when the file is gone', () => stage.deps.db.deleteFrom('dispatches').execute()],
    // As after a restore of an older backup, when numbers are given again.
    [
      'when it is of another file with its number',
      () =>
        stage.deps.db
          .updateTable('dispatches')
          .set({ createdAt: stage.deps.clock.now() + 1_000 })
          .execute(),
    ],
  ])('is dropped %s', async (_, change) => {
    await sent()
    await change()
    expect(await report(returnPathOf('ben'))).toBe('dropped')
    expect(await notices()).toEqual([])
  })

  it('is taken ten times an hour', async () => {
    await sent()
    for (let count = 0; count < 10; count++) await report(returnPathOf('ben'), writeReport(LATE))
    await expect(report(returnPathOf('ben'))).rejects.toMatchObject({ code: 'THROTTLED' })
    expect(await report(returnPathOf('ada'))).toBe('noted')
  })
})

describe('a report', () => {
  it('comes over HTTP', async () => {
    await sent()
    const url = `/inbox/mail?recipient=${encodeURIComponent(returnPathOf('ben'))}`
    const headers = { authorization: `Bearer ${SECRET}` }
    const request = { method: 'POST', url, headers, payload: writeReport() } as const
    const { statusCode, body } = await stage.testApp.app.inject(request)
    expect([statusCode, JSON.parse(body)]).toEqual([200, { state: 'noted' }])
    expect(await recipients()).not.toContain(stage.ben.id)
  })

  it('comes from a mail server, with nobody as its sender', async () => {
    const port = await findFreePort()
    const name = 'in.example.com'
    const smtpInbox = { host: '127.0.0.1', port, name, networks: [], certificate: null }
    Object.assign(stage.deps.config, { smtpInbox })
    const inbox = openInbox(stage.deps)!
    await inbox.takesMails
    await sent()
    const to = returnPathOf('ben').toUpperCase()
    const bounce = { from: '', raw: writeReport() }
    expect(await sendRaw(port, { ...bounce, to })).toBe('250 2.6.0 The report is noted')
    // That it is known already is not told.
    expect(await sendRaw(port, { ...bounce, to })).toBe('250 2.6.0 The report is noted')
    const guessed = to.replace('@', '0@')
    expect(await sendRaw(port, { ...bounce, to: guessed })).toMatch(/^550/)
    expect((await notices()).length).toBe(1)
    await inbox.close()
  })
})
