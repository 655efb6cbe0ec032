import { createServer } from 'node:net'

import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Config } from '../config'
import { startSmtpListener } from '../inbox/mail/smtp-listener'
import { listenOnLoopback } from '../testing/servers/loopback'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { checkMailInbox } from './check-mail-inbox'

let deps: TestDeps
beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const smtp = { host: '127.0.0.1', name: 'in.example.com', networks: [], certificate: null }
const find = async (settings: Partial<Config>) => {
  const config = {
    ...deps.config,
    mailInboxDomain: 'in.example.com',
    mailAuthHost: 'mx.example.com',
    ...settings,
  }
  return (await checkMailInbox({ ...deps, config })).map(({ state, text }) => `${state}: ${text}`)
}

it('says nothing of mails where they have no domain', async () => {
  expect(await find({ mailInboxDomain: null })).toEqual([])
})

it('tells when no mail can come, and when senders are not judged', async () => {
  expect(await find({})).toEqual([
    'problem: No mail for in.example.com can come: it has a domain, but no way in',
  ])
  expect(await find({ mailInboxSecret: 'x'.repeat(30) })).toEqual([])
  expect(await find({ mailInboxSecret: 'x'.repeat(30), mailAuthHost: null })).toEqual([
    'warning: MAIL_AUTH_HOST is not set: whom a mail is from is believed as it says',
  ])
})

it('tells whether the port answers, and for whom', async () => {
  const desk = {
    findRecipient: () => Promise.reject(new Error()),
    receive: () => Promise.reject(new Error()),
  }
  const listener = await startSmtpListener({ ...smtp, port: 0 }, desk)
  expect(await find({ smtpInbox: { ...smtp, port: listener.port } })).toEqual([
    expect.stringMatching(
      /^ok: port \d+ answers; whether the mail server of in\.example\.com hands on/,
    ),
  ])
  await listener.close()
  expect(await find({ smtpInbox: { ...smtp, port: listener.port } })).toEqual([
    expect.stringMatching(/^warning: Port \d+ does not answer here/),
  ])
  const other = createServer((socket) => socket.end('SSH-2.0-x\r\n'))
  const port = await listenOnLoopback(other)
  expect(await find({ smtpInbox: { ...smtp, port } })).toEqual([
    `problem: Port ${port} is of another program`,
  ])
  other.close()
})

it('warns of a port where everybody can forge what the mail server has found', async () => {
  const findAt = (
    host: string,
    networks: string[] = [],
    mailAuthHost: string | null = 'mx.example',
  ) => find({ smtpInbox: { ...smtp, host, networks, port: 1 }, mailAuthHost })
  const warning = expect.stringMatching(/^warning: Port 1 takes mails from everybody/)
  expect(await findAt('0.0.0.0')).toContainEqual(warning)
  for (const found of [
    await findAt('127.0.0.1'),
    await findAt('0.0.0.0', ['10.0.0.0/8']),
    await findAt('0.0.0.0', [], null),
  ]) {
    expect(found).not.toContainEqual(warning)
  }
})

it('tells why a mailbox cannot be read, without its password', async () => {
  const imap = {
    host: '127.0.0.1',
    port: 1,
    security: 'none',
    username: 'a',
    password: 'secret',
    tokens: null,
    folder: 'INBOX',
    doneFolder: null,
  } as const
  const [found] = await find({ imap })
  expect(found).toMatch(/^problem: The mailbox at 127\.0\.0\.1 cannot be read: .*ECONNREFUSED/)
  expect(found).not.toContain('secret')
})
