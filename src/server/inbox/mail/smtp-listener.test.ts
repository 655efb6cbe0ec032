import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectEncrypted } from 'node:tls'

import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { MAX_MAIL_BYTES } from '../../../shared/constants'
import { createAuthority } from '../../testing/servers/source-certificate'
import type { MailDesk, MailOutcome } from './mail-desk'
import type { SmtpSettings } from './settings'
import { MAX_CONNECTIONS_OF_ADDRESS } from './smtp-connections'
import { startSmtpListener } from './smtp-listener'

const OURS = 'northbeck+k7f3q9@in.example.com'
const SETTLED: MailOutcome = { kind: 'settled', text: 'The file is published' }

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A listener, and what came in at it. */
async function start({
  outcome = () => Promise.resolve(SETTLED),
  knows = (address) => Promise.resolve(address === OURS),
  ...settings
}: Partial<SmtpSettings> & {
  outcome?: (mail: string, signal: AbortSignal) => Promise<MailOutcome>
  knows?: (address: string) => Promise<boolean>
} = {}) {
  const mails: string[] = []
  const broken: string[] = []
  const desk: MailDesk = {
    async findRecipient([address = '']) {
      return (await knows(address)) ? address : undefined
    },
    async receive({ recipient }, body, signal) {
      try {
        const pieces: Buffer[] = []
        for await (const piece of body) pieces.push(piece)
        const mail = Buffer.concat(pieces).toString('latin1')
        mails.push(mail)
        return await outcome(mail, signal)
      } catch (error) {
        broken.push(`${recipient}: ${(error as Error).message}`)
        throw error
      }
    },
  }
  const listener = await startSmtpListener(
    {
      host: '127.0.0.1',
      port: 0,
      name: 'in.example.com',
      networks: [],
      certificate: null,
      ...settings,
    },
    desk,
  )
  closing.push(() => listener.close())
  return { ...listener, mails, broken, open: () => talk(listener.port) }
}

/** A client that sends what it is told, and reads one answer after the other. */
async function talk(port: number) {
  const socket = connect(port, '127.0.0.1')
  closing.push(() => socket.destroy())
  const heard = listenTo(socket)
  await once(socket, 'connect')
  const greeting = await heard.next()
  return { ...heard, greeting }
}

function listenTo(socket: Socket) {
  let received = ''
  let isClosed = false
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  const next = async (): Promise<string> => {
    for (;;) {
      const answer = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(received)?.[0]
      if (answer !== undefined) {
        received = received.slice(answer.length)
        return answer.trim()
      }
      if (isClosed) return 'closed'
      await sleep(2)
    }
  }
  const say = (text: string | Buffer) => {
    socket.write(text)
    return next()
  }
  return { socket, next, say, isClosed: () => isClosed, left: () => received }
}

type Talk = ReturnType<typeof listenTo>

/** Goes on encrypted, in pieces of the least size. */
async function encrypt({ socket, say }: Talk): Promise<Talk> {
  await say('EHLO client.example.org\r\n')
  expect(await say('STARTTLS\r\n')).toMatch(/^220/)
  socket.removeAllListeners('data')
  const encrypted = connectEncrypted({ socket, rejectUnauthorized: false })
  await once(encrypted, 'secureConnect')
  encrypted.setMaxSendFragment(512)
  return listenTo(encrypted)
}

/** Says all that comes before a mail. */
async function begin({ say }: Talk, recipient = OURS): Promise<string> {
  await say('EHLO client.example.org\r\n')
  await say('MAIL FROM:<stock@northbeck.example>\r\n')
  await say(`RCPT TO:<${recipient}>\r\n`)
  return say('DATA\r\n')
}

const waitForClose = async ({ isClosed }: Talk) => {
  while (!isClosed()) await sleep(2)
}

/** Lets the time of the listener go by. */
const sweepUntilClosed = async ({ isClosed }: Talk) => {
  while (!isClosed()) {
    vi.advanceTimersByTime(5_000)
    await sleep(5)
  }
}

/** Writes until it is told to stop, as fast as it is read. */
async function pour(socket: Socket, piece: Buffer, bytes: number): Promise<void> {
  socket.setMaxListeners(0)
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
    if (socket.write(piece)) continue
    const went = Promise.withResolvers<void>()
    socket.once('drain', went.resolve).once('close', went.resolve)
    await went.promise
  }
}

describe('the listener for mails', () => {
  it('answers a mail with what has become of it, once that is settled', async () => {
    const settling = Promise.withResolvers<MailOutcome>()
    const listener = await start({ outcome: () => settling.promise })
    const client = await listener.open()
    expect(client.greeting).toBe('220 in.example.com ESMTP')
    expect(await begin(client)).toMatch(/^354/)
    let answered = false
    const answer = client
      .say('Subject: Stock\r\n\r\nHello\r\n.\r\n')
      .finally(() => (answered = true))
    await vi.waitUntil(() => listener.mails.length > 0)
    await sleep(50)
    expect(answered).toBe(false)
    settling.resolve(SETTLED)
    expect(await answer).toBe('250 2.6.0 The file is published')
    expect(listener.mails).toEqual(['Subject: Stock\r\n\r\nHello\r\n'])
  })

  it('takes one mail after the other over one connection, of any mail program', async () => {
    const listener = await start()
    const mailer = createTransport({
      host: '127.0.0.1',
      port: listener.port,
      pool: true,
      maxConnections: 1,
    })
    closing.push(() => mailer.close())
    for (const name of ['a.csv', 'b.csv']) {
      const attachments = [{ filename: name, content: `sku;stock\r\n.1;2\r\n..3;4\r\n` }]
      await mailer.sendMail({
        from: 'stock@northbeck.example',
        to: OURS,
        subject: name,
        attachments,
      })
    }
    expect(listener.mails).toHaveLength(2)
    expect(listener.connections()).toBe(1)
  })

  it.each([
    ['refused', '554 5.6.0 The mail has no table'],
    ['later', '451 4.3.0 The mail has no table'],
  ] as const)('tells the sender of a mail that is %s', async (kind, expected) => {
    const listener = await start({
      outcome: () => Promise.resolve({ kind, text: 'The mail has no table' }),
    })
    const client = await listener.open()
    await begin(client)
    expect(await client.say('x\r\n.\r\n')).toBe(expected)
    expect(await client.say('NOOP\r\n')).toMatch(/^250/)
  })

  it('asks for a mail again that could not be judged', async () => {
    const listener = await start({ outcome: () => Promise.reject(new Error('password=secret')) })
    const client = await listener.open()
    await begin(client)
    const answer = await client.say('x\r\n.\r\n')
    expect(answer).toBe('451 4.3.0 The mail cannot be taken now, try again later')
  })

  it('knows no address but ours, and sends away who guesses', async () => {
    const { open } = await start()
    const { say } = await open()
    await say('EHLO client.example.org\r\n')
    await say('MAIL FROM:<>\r\n')
    const unknown = '550 5.1.1 There is no such address here'
    expect(await say('RCPT TO:<someone@elsewhere.example>\r\n')).toBe(unknown)
    expect(await say('RCPT TO:<northbeck+revoked@in.example.com>\r\n')).toBe(unknown)
    expect(await say('RCPT TO:<postmaster>\r\n')).toBe(unknown)
    expect(await say('DATA\r\n')).toMatch(/^503/)
    expect(await say('RCPT TO:<a%b@in.example.com>\r\n')).toBe(unknown)
    expect(await say('RCPT TO:<c@in.example.com>\r\n')).toMatch(/^421/)
    expect(await say('NOOP\r\n')).toBe('closed')
  })

  it('says that it cannot tell when addresses cannot be looked up', async () => {
    const { open } = await start({ knows: () => Promise.reject(new Error('no database')) })
    const { say } = await open()
    await say('EHLO client.example.org\r\n')
    await say('MAIL FROM:<a@b.example>\r\n')
    expect(await say(`RCPT TO:<${OURS}>\r\n`)).toMatch(/^451 4\.3\.0 Addresses cannot/)
  })

  it('takes one address a mail, so that each is answered for itself', async () => {
    const { open } = await start({ knows: () => Promise.resolve(true) })
    const { say } = await open()
    await say('EHLO client.example.org\r\n')
    await say('MAIL FROM:<a@b.example>\r\n')
    expect(await say('RCPT TO:<a@in.example.com>\r\n')).toMatch(/^250/)
    expect(await say('RCPT TO:<b@in.example.com>\r\n')).toMatch(/^452 4\.5\.3/)
  })

  it.each([
    'AUTH LOGIN',
    'STARTTLS',
    'VRFY root',
    'XCLIENT ADDR=127.0.0.1',
    'BDAT 10 LAST',
    'EXPN a',
    'SHELL',
  ])('has no %s', async (command) => {
    const { open } = await start()
    const { say } = await open()
    const features = await say('EHLO client.example.org\r\n')
    expect(features).not.toMatch(/AUTH|STARTTLS|CHUNKING|XCLIENT/)
    expect(features).toContain(`SIZE ${MAX_MAIL_BYTES}`)
    expect(await say(`${command}\r\n`)).toMatch(/^500/)
  })

  it('encrypts where it has a certificate, and forgets what was sent before', async () => {
    const certificate = createAuthority().issue('in.example.com')
    const { open, port, mails } = await start({ certificate })
    const mailer = createTransport({
      host: '127.0.0.1',
      port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    await mailer.sendMail({ from: 'a@b.example', to: OURS, text: 'x' })
    mailer.close()
    expect(mails).toHaveLength(1)
    const client = await open()
    await client.say('EHLO client.example.org\r\n')
    const answer = await client.say(
      `STARTTLS\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${OURS}>\r\nDATA\r\ninjected\r\n.\r\n`,
    )
    expect(answer).toMatch(/^220/)
    await sleep(100)
    expect(client.left()).toBe('')
    expect(mails).toHaveLength(1)
  })

  it('lets in those of trusted networks only, where these are named', async () => {
    const { port } = await start({ networks: ['10.0.0.0/8'] })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const [hadError] = await once(socket, 'close')
    expect(hadError).toBe(false)
    expect(socket.bytesRead).toBe(0)
    const trusted = await start({ networks: ['127.0.0.0/8'] })
    expect((await trusted.open()).greeting).toMatch(/^220/)
  })
})

describe('the end of a mail', () => {
  it.each([
    ['\n.\n', 'LF dot LF'],
    ['\r\n.\n', 'CRLF dot LF'],
    ['\n.\r\n', 'LF dot CRLF'],
    ['\r.\r', 'CR dot CR'],
    ['\r\n.\r', 'CRLF dot CR'],
    ['\r.\r\n', 'CR dot CRLF'],
    ['\r\n\0.\r\n', 'CRLF NUL dot CRLF'],
    ['\n.\n\r\n', 'LF dot LF CRLF'],
  ])('is CRLF dot CRLF and nothing else: a second mail cannot hide behind %j (%s)', async (end) => {
    const { open, mails } = await start()
    const client = await open()
    await begin(client)
    const hidden = `MAIL FROM:<boss@big.example>\r\nRCPT TO:<${OURS}>\r\nDATA\r\nhidden\r\n`
    expect(await client.say(`first${end}${hidden}.\r\n`)).toMatch(/^250/)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('hidden')
    expect(client.left()).toBe('')
  })

  it('is found however the bytes are split', async () => {
    const { open, mails } = await start()
    const client = await open()
    await begin(client)
    const text = '.one\r\n..two\r\n\r\n.\r.\n-\r\n...\r\nlast'
    const stuffed = `${text.replaceAll(/(^|\r\n)\./g, '$1..')}\r\n.\r\n`
    client.socket.setNoDelay(true)
    for (const byte of Buffer.from(stuffed.slice(0, -1))) {
      client.socket.write(Buffer.from([byte]))
      await sleep(1)
    }
    expect(await client.say('\n')).toMatch(/^250/)
    expect(mails).toEqual([`${text}\r\n`])
  })

  it('may be followed at once by the next mail', async () => {
    const { open, mails } = await start()
    const client = await open()
    await client.say('EHLO client.example.org\r\n')
    const one = (text: string) =>
      `MAIL FROM:<a@b.example>\r\nRCPT TO:<${OURS}>\r\nDATA\r\n${text}\r\n.\r\n`
    const answers = [await client.say(`${one('first')}${one('second')}QUIT\r\n`)]
    for (let index = 0; index < 8; index += 1) answers.push(await client.next())
    expect(answers.map((text) => text.slice(0, 3))).toEqual([
      '250',
      '250',
      '354',
      '250',
      '250',
      '250',
      '354',
      '250',
      '221',
    ])
    expect(mails).toEqual(['first\r\n', 'second\r\n'])
  })

  it('keeps bytes as they are: NUL, eight bits, and lines of any length', async () => {
    const { open, mails } = await start()
    const client = await open()
    await client.say('EHLO client.example.org\r\n')
    await client.say('MAIL FROM:<lager@größe.example> BODY=8BITMIME SMTPUTF8\r\n')
    await client.say(`RCPT TO:<${OURS}>\r\n`)
    await client.say('DATA\r\n')
    const bytes = Buffer.concat([
      Buffer.from(Array.from({ length: 256 }, (_, index) => index)),
      Buffer.alloc(3_000_000, 'x'),
    ])
    expect(await client.say(Buffer.concat([bytes, Buffer.from('\r\n.\r\n')]))).toMatch(/^250/)
    expect(mails).toEqual([`${bytes.toString('latin1')}\r\n`])
  })

  it.each([
    ['doubles the dots of its lines', false, '..\r\n'.repeat(300_000)],
    ['encrypts it in small pieces', true, `${'x'.repeat(98)}\r\n`.repeat(80_000)],
  ])('is answered, and the next one taken, by who %s', async (_, isEncrypted, text) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const taken = Promise.withResolvers<void>()
    const held = Promise.withResolvers<MailOutcome>()
    const { open } = await start({
      certificate: createAuthority().issue('in.example.com'),
      outcome() {
        taken.resolve()
        return held.promise
      },
    })
    const plain = await open()
    const client = isEncrypted ? await encrypt(plain) : plain
    await begin(client)
    const answer = client.say(`${text}.\r\n`)
    await taken.promise
    vi.advanceTimersByTime(10_000)
    held.resolve(SETTLED)
    expect(await answer).toMatch(/^250/)
    vi.advanceTimersByTime(10_000)
    expect(await begin(client)).toMatch(/^354/)
  })
})

describe('hostile senders of mails', () => {
  it('are told that a mail is one byte too large, which nobody has to read to its end', async () => {
    const { open, mails, broken } = await start()
    const client = await open()
    expect(await client.say('EHLO client.example.org\r\n')).toContain('SIZE')
    expect(await client.say(`MAIL FROM:<a@b.example> SIZE=${MAX_MAIL_BYTES + 1}\r\n`)).toMatch(
      /^552/,
    )
    await begin(client)
    await pour(client.socket, Buffer.alloc(1024 * 1024, 'x'), MAX_MAIL_BYTES)
    expect(await client.say('x\r\n.\r\n')).toMatch(/^552/)
    expect(mails).toEqual([])
    expect(broken).toEqual([`${OURS}: The mail is too large`])
    expect(await client.say('NOOP\r\n')).toMatch(/^250/)
  })

  it('are cut off when a mail never ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { open, broken } = await start()
    const client = await open()
    await begin(client)
    const pouring = pour(client.socket, Buffer.alloc(1024 * 1024, 'x'), 2 * MAX_MAIL_BYTES)
    await sweepUntilClosed(client)
    await pouring
    expect(broken).toEqual([`${OURS}: The mail is too large`])
  })

  it('leave nothing behind when they go away in the middle of a mail', async () => {
    const { open, mails, broken, connections } = await start()
    const client = await open()
    await begin(client)
    client.socket.write('Subject: half')
    await sleep(20)
    client.socket.destroy()
    await vi.waitUntil(() => broken.length > 0)
    expect(mails).toEqual([])
    await vi.waitUntil(() => connections() === 0)
  })

  it('do not make others wait: a reader that is slow slows its own sender only', async () => {
    const held = Promise.withResolvers<MailOutcome>()
    const { open } = await start({
      outcome: (mail) => (mail.startsWith('slow') ? held.promise : Promise.resolve(SETTLED)),
    })
    const slow = await open()
    await begin(slow)
    slow.socket.write('slow\r\n.\r\n')
    const quick = await open()
    await begin(quick)
    expect(await quick.say('quick\r\n.\r\n')).toMatch(/^250/)
    held.resolve(SETTLED)
    expect(await slow.next()).toMatch(/^250/)
  })

  it('have no more than some connections, and end those of nobody else', async () => {
    const { open, port } = await start()
    const first = await open()
    await begin(first)
    const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'))
    closing.push(() => sockets.forEach((socket) => socket.destroy()))
    const closed = sockets.map((socket) => {
      socket.on('error', () => undefined)
      return once(socket, 'close')
    })
    const stillOpen = new Set(closed)
    closed.forEach((ended) => void ended.then(() => stillOpen.delete(ended)))
    sockets.forEach((socket) => socket.resume())
    await vi.waitUntil(() => stillOpen.size <= MAX_CONNECTIONS_OF_ADDRESS - 1, { timeout: 10_000 })
    expect(stillOpen.size).toBe(MAX_CONNECTIONS_OF_ADDRESS - 1)
    expect(await first.say('still here\r\n.\r\n')).toMatch(/^250/)
  })

  it('are sent away for what is no command, endless lines, or talk before the greeting', async () => {
    const { open, port } = await start()
    const lines = await open()
    lines.socket.write('x\r\n'.repeat(20))
    await waitForClose(lines)
    const endless = await open()
    endless.socket.write(Buffer.alloc(1024 * 1024, 'y'))
    await waitForClose(endless)
    const early = connect(port, '127.0.0.1')
    early.on('error', () => undefined)
    early.write('EHLO early.example\r\n')
    let said = ''
    early.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(early, 'close')
    expect(said).toMatch(/^421/)
  })

  it('are sent away when they name no address of ours, or send commands without end', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const { open } = await start()
    const idle = await open()
    const working = await open()
    await begin(working)
    vi.advanceTimersByTime(40_000)
    await waitForClose(idle)
    expect(working.isClosed()).toBe(false)
    expect(await working.say('x\r\n.\r\n')).toMatch(/^250/)
    await pour(working.socket, Buffer.from('NOOP\r\n'.repeat(10_000)), 300_000)
    await sweepUntilClosed(working)
  })
})
