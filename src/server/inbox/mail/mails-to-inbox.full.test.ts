import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'

import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { CSV, writeMail } from '../../testing/fixtures/mails'
import { startInstalledImapServer } from '../../testing/servers/installed-imap-server'
import { startInstalledMailRelay } from '../../testing/servers/installed-mail-relay'
import { isInstalled } from '../../testing/servers/installed-program'
import { MAIL_SENDER, type MailStage, openMailStage } from '../../testing/stages/mail-stage'

const run = promisify(execFile)
const until = (isSo: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 60_000, interval: 100 })

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(...config: Parameters<typeof openMailStage>): Promise<MailStage> {
  const stage = await openMailStage(...config)
  closing.push(() => stage.close())
  return stage
}

/** How many files were ever received, of which the last are kept. */
async function countReceived({ deps }: MailStage): Promise<number> {
  const rows = await deps.db.selectFrom('receivedFiles').select('id').execute()
  return Math.max(...rows.map(({ id }) => id))
}

const several = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    writeMail({
      id: `<${index}@acme.example>`,
      attachments: [{ content: `sku,qty\r\nA${index},5\r\n` }],
    }),
  )

describe.skipIf(!isInstalled('swaks'))('a mail sent by swaks', () => {
  it('is published; one of an unknown sender waits', async () => {
    const stage = await open()
    const folder = stage.deps.config.dataDir
    await writeFile(join(folder, 'stock.csv'), CSV)
    const swaks = (sender: string, ...more: string[]) =>
      run('swaks', [
        '--server',
        `127.0.0.1:${stage.port}`,
        '--from',
        sender,
        '--to',
        stage.address,
        '--attach-type',
        'text/csv',
        '--attach-name',
        'stock.csv',
        '--attach',
        `@${join(folder, 'stock.csv')}`,
        ...more,
      ])
    const { stdout } = await swaks(MAIL_SENDER)
    expect(stdout).toContain('250 2.6.0 The file is taken')
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(CSV)
    await swaks('other@elsewhere.example', '--pipeline')
    expect(await stage.mailStates()).toEqual(['waiting', 'taken'])
    const refused = swaks(MAIL_SENDER, '--to', 'nobody@in.example.com')
    await expect(refused).rejects.toMatchObject({
      stdout: expect.stringContaining('<** 550 5.1.1'),
    })
  })
})

describe.skipIf(!isInstalled('postfix'))('mails that Postfix hands on', () => {
  it('come in each once, while the inbox is killed again and again', async () => {
    const stage = await open()
    const relay = await startInstalledMailRelay({ domain: 'in.example.com', to: stage.port })
    closing.push(() => relay.close())
    const mailer = createTransport({ host: '127.0.0.1', port: relay.port, ignoreTLS: true })
    closing.push(() => mailer.close())
    const mails = several(12)
    for (const raw of mails) {
      await mailer.sendMail({ envelope: { from: MAIL_SENDER, to: stage.address }, raw })
    }
    for (const pauseMs of [50, 400, 900]) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      stage.killInbox()
    }
    await until(async () => (await stage.mailStates()).length === mails.length)
    expect(new Set(await stage.mailStates())).toEqual(new Set(['taken']))
    expect(await countReceived(stage)).toBe(mails.length)
  })
})

describe.skipIf(!isInstalled('dovecot'))('mails in a mailbox at Dovecot', () => {
  it('come in each once, while the inbox and Dovecot are killed again and again', async () => {
    const server = await startInstalledImapServer()
    closing.push(() => server.close())
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, server.certificate])
    closing.push(() => setDefaultCACertificates(trusted))
    // The process trusts what its own start is told.
    const authority = join(tmpdir(), `stockbridge-authority-${server.port}.pem`)
    await writeFile(authority, server.certificate)
    closing.push(() => rm(authority))
    const stage = await open({
      smtpInbox: null,
      imap: {
        host: server.host,
        port: server.port,
        security: 'tls',
        username: server.username,
        password: server.password,
        tokens: null,
        folder: 'INBOX',
        doneFolder: null,
      },
      childEnvironment: { NODE_EXTRA_CA_CERTS: authority },
    })
    const mails = several(12)
    for (const mail of mails) {
      await server.deliver(Buffer.concat([Buffer.from(`Delivered-To: ${stage.address}\r\n`), mail]))
    }
    await until(async () => (await stage.mailStates()).length > 0)
    stage.killInbox()
    await until(async () => (await stage.mailStates()).length > 3)
    await server.restart()
    await until(async () => (await server.readFlags()).every((flags) => flags === 'S'))
    expect(await stage.mailStates()).toEqual(mails.map(() => 'taken'))
    expect(await countReceived(stage)).toBe(mails.length)
  })
})
