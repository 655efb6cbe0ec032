import { setDefaultCACertificates, getCACertificates } from 'node:tls'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { MAX_MAIL_BYTES } from '../../../shared/constants'
import {
  type InstalledImapServer,
  startInstalledImapServer,
} from '../../testing/servers/installed-imap-server'
import { isInstalled } from '../../testing/servers/installed-program'
import { type ImapState, tryMailbox, watchMailbox } from './imap-mailbox'
import type { MailDesk, MailOutcome } from './mail-desk'
import type { ImapSettings } from './settings'

const OURS = 'northbeck+k7f3q9@in.example.com'
const trusted = getCACertificates('default')

const toMail = (name: string, { to = OURS, text = '' } = {}) =>
  `Delivered-To: ${to}\r\nTo: Stock <stock@elsewhere.example>\r\nSubject: ${name}\r\n\r\n${text}\r\n`

const SETTLED: MailOutcome = { kind: 'settled', text: '' }

/** Waits for what a server does. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 30_000 })

/** Keeps what it has received, and knows what comes again. */
function createDesk(
  judge: (subject: string) => MailOutcome | Promise<MailOutcome> = () => SETTLED,
) {
  const received: string[] = []
  const onPiece: { wait?: (subject: string) => unknown } = {}
  const desk: MailDesk = {
    findRecipient: (addresses) =>
      Promise.resolve(addresses.find((address) => address.endsWith('@in.example.com'))),
    async receive({ recipient, socket }, body, signal) {
      const pieces: Buffer[] = []
      for await (const piece of body) {
        pieces.push(piece)
        await onPiece.wait?.(subjectOf(Buffer.concat(pieces)))
      }
      signal.throwIfAborted()
      const mail = Buffer.concat(pieces)
      received.push(`${recipient} ${subjectOf(mail)} ${mail.length}`)
      expect(socket).toBe('imap')
      return judge(subjectOf(mail))
    },
  }
  return { desk, received, onPiece }
}

const subjectOf = (mail: Buffer) => /^Subject: (.*)\r$/m.exec(mail.toString('latin1'))?.[1] ?? ''

describe.skipIf(!isInstalled('dovecot'))('a mailbox at Dovecot', () => {
  let server: InstalledImapServer
  let stop: AbortController
  let ended: Promise<void>[]
  let states: ImapState[]

  beforeEach(async () => {
    server = await startInstalledImapServer()
    setDefaultCACertificates([...trusted, server.certificate])
    stop = new AbortController()
    ended = []
    states = []
  })
  afterEach(async () => {
    stop.abort()
    await Promise.all(ended)
    setDefaultCACertificates(trusted)
    await server.close()
  })

  const settings = (changes: Partial<ImapSettings> = {}): ImapSettings => ({
    host: server.host,
    port: server.port,
    security: 'tls',
    username: server.username,
    password: server.password,
    tokens: null,
    folder: 'INBOX',
    doneFolder: null,
    ...changes,
  })
  const watch = (desk: MailDesk, changes: Partial<ImapSettings> = {}) => {
    const { signal } = stop
    const times = { retryMs: 50, silenceMs: 4_000, lookEveryMs: 30_000 }
    const onState = (state: ImapState) => void states.push(state)
    ended.push(watchMailbox({ settings: settings(changes), desk, onState, signal, times }))
  }

  it('is read from its oldest mail on, and what comes later at once; each mail is marked', async () => {
    await server.deliver(toMail('one'))
    await server.deliver(toMail('two', { text: 'x'.repeat(700_000) }))
    const { desk, received } = createDesk()
    watch(desk)
    await until(() => received.length === 2)
    const begun = performance.now()
    await server.deliver(toMail('three'))
    await until(() => received.length === 3)
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect(received.map((mail) => mail.split(' ')[1])).toEqual(['one', 'two', 'three'])
    expect(Number(received[1]?.split(' ')[2])).toBe(toMail('two').length + 700_000)
    await until(async () => (await server.readFlags()).join() === 'S,S,S')
    expect(states).toEqual([{ kind: 'connected' }])
  })

  it('keeps what is refused or for nobody, flagged, and asks again for what is for later', async () => {
    let isBusy = true
    const { desk, received } = createDesk((subject) => {
      if (subject === 'bad') return { kind: 'refused', text: 'No table' }
      return isBusy && subject === 'busy'
        ? { kind: 'later', text: '' }
        : { kind: 'settled', text: '' }
    })
    await server.deliver(toMail('busy'))
    await server.deliver(toMail('after'))
    await server.deliver(toMail('bad', { to: 'other+a@in.example.com' }))
    await server.deliver(toMail('spam', { to: 'root@elsewhere.example' }))
    watch(desk)
    await until(async () => (await server.readFlags()).join() === ',,F,F')
    expect(received.map((mail) => mail.split(' ')[1])).toEqual(['busy', 'bad'])
    isBusy = false
    // What came after it, for the same address, has waited.
    await server.deliver(toMail('bell', { to: 'root@elsewhere.example' }))
    await until(async () => (await server.readFlags()).join() === 'S,S,F,F,F')
    expect(received.map((mail) => mail.split(' ')[1])).toEqual(['busy', 'bad', 'busy', 'after'])
  })

  it('moves what is settled into a folder, where one is named', async () => {
    const { desk, received } = createDesk()
    await server.deliver(toMail('moved'))
    watch(desk, { doneFolder: 'Read' })
    await until(async () => (await server.readFlags('.Read')).join() === 'S')
    // A server copies a mail into the folder before it takes it out of the other.
    await until(async () => (await server.readFlags()).length === 0)
    expect(received).toHaveLength(1)
  })

  it('refuses a mail that is too large without reading it', async () => {
    const { desk, received } = createDesk()
    await server.deliver(toMail('large', { text: 'x'.repeat(MAX_MAIL_BYTES) }))
    watch(desk)
    await until(async () => (await server.readFlags()).join() === 'F')
    expect(received).toEqual([])
  })

  it.each(['killed', 'frozen'] as const)(
    'loses nothing when its server is %s in the middle of a mail',
    async (fault) => {
      const { desk, received, onPiece } = createDesk()
      await server.deliver(toMail('cut', { text: 'x'.repeat(3_000_000) }))
      await server.deliver(toMail('next'))
      const reached = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      onPiece.wait = () => {
        reached.resolve()
        return goOn.promise
      }
      watch(desk)
      await reached.promise
      await (fault === 'killed' ? server.restart() : server.freeze())
      goOn.resolve()
      if (fault === 'frozen') {
        await until(() => states.some(({ kind }) => kind === 'failed'))
        await server.restart()
      }
      await until(async () => (await server.readFlags()).join() === 'S,S')
      const lengths = received.map((mail) => mail.split(' ').slice(1).join(' '))
      expect(lengths).toEqual([
        `cut ${toMail('cut').length + 3_000_000}`,
        `next ${toMail('next').length}`,
      ])
    },
  )

  it('reads a mail again when its server went before the mark was set', async () => {
    const { desk, received } = createDesk(async (subject) => {
      if (received.length === 1) await server.restart()
      return { kind: 'settled', text: subject }
    })
    await server.deliver(toMail('twice'))
    watch(desk)
    await until(async () => (await server.readFlags()).join() === 'S')
    expect(received).toHaveLength(2)
  })

  it('encrypts before it signs in, and does not sign in otherwise', async () => {
    const { signal } = stop
    await tryMailbox(settings({ port: server.plainPort, security: 'starttls' }), signal)
    await expect(tryMailbox(settings({ host: '127.0.0.1' }), signal)).rejects.toThrow(
      /IP|altnames|ALTNAME/i,
    )
    setDefaultCACertificates(trusted)
    try {
      await expect(tryMailbox(settings(), signal)).rejects.toThrow(/certificate/)
    } finally {
      setDefaultCACertificates([...trusted, server.certificate])
    }
  })

  it('tells what is wrong with the sign-in or the folder, once, and no secret', async () => {
    const { signal } = stop
    await expect(tryMailbox(settings({ folder: 'Nowhere' }), signal)).rejects.toThrow(
      'The folder Nowhere cannot be opened',
    )
    const { desk } = createDesk()
    watch(desk, { password: 'wrong-secret' })
    await until(() => states.length > 0)
    expect(states).toEqual([
      { kind: 'failed', text: 'The server does not accept the user and the password or token' },
    ])
  })
})
