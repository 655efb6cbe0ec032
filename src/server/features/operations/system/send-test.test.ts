import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sendTestInput } from '../../../../shared/schemas/system'
import type { Config } from '../../../config'
import type { Actor } from '../../../domain/actor'
import { createAdmin } from '../../../testing/fixtures/factories'
import { startHookServer, type HookServer } from '../../../testing/servers/hook-server'
import { startMailServer, type MailServer } from '../../../testing/servers/mail-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { sendTest } from './send-test'

let mailServer: MailServer
let hookServer: HookServer
let deps: TestDeps
let admin: Actor

async function open(settings: Partial<Config> = {}) {
  const smtp = { url: mailServer.url, from: 'stock@example.com' }
  deps = await openTestDeps({ smtp, fetchAllow: [hookServer.host], ...settings })
  admin = await createAdmin(deps)
}

beforeEach(async () => {
  mailServer = await startMailServer()
  hookServer = await startHookServer()
  await open()
})
afterEach(async () => {
  await deps.close()
  await mailServer.close()
  await hookServer.close()
})

const send = (input: unknown) => sendTest(deps, admin, sendTestInput.parse(input))
const mailTo = (address: string) => send({ to: 'mail', address })

describe('a test mail', () => {
  it('is sent to the address that was typed, and the answer of the server is told', async () => {
    expect(await mailTo('op@example.org')).toEqual({
      isOk: true,
      answer: expect.stringMatching(/^250 /) as string,
      tookMs: expect.any(Number) as number,
    })
    expect(mailServer.received).toMatchObject([{ to: ['op@example.org'] }])
    expect(mailServer.received[0]!.source).toContain('This is a test')
  })

  it('tells word by word what the server refuses', async () => {
    mailServer.refuseRecipient('no@example.org', { code: 550, text: '5.1.1 No such user here' })
    expect(await mailTo('no@example.org')).toMatchObject({
      isOk: false,
      answer: '550 5.1.1 No such user here',
    })
  })

  it('tells that there is no mail server', async () => {
    await deps.close()
    await open({ smtp: undefined })
    const answer = 'No mail server is set: see SMTP_URL and MAIL_FROM'
    expect(await mailTo('op@example.org')).toMatchObject({ isOk: false, answer })
  })

  it.each(['nobody', 'a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', ''])(
    'has one recipient, never %j',
    (address) => {
      expect(sendTestInput.safeParse({ to: 'mail', address }).success).toBe(false)
    },
  )
})

describe('a test request', () => {
  it('tells the status of its answer, whatever it is', async () => {
    const url = hookServer.url
    expect(await send({ to: 'webhook', url })).toMatchObject({
      isOk: true,
      answer: expect.stringMatching(/status 2\d\d$/) as string,
    })
    expect(JSON.parse(hookServer.received[0]!.body)).toMatchObject({ type: 'test' })
    hookServer.answer(418)
    expect(await send({ to: 'webhook', url })).toMatchObject({
      isOk: false,
      answer: 'It answered with status 418',
    })
  })

  it.each(['http://127.0.0.1:1/hook', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/'])(
    'is not sent to a private address: %s',
    async (url) => {
      const { isOk, answer } = await send({ to: 'webhook', url })
      expect(isOk).toBe(false)
      expect(answer).toMatch(/FETCH_ALLOW/)
    },
  )
})

it.each(['files', 'backups'] as const)(
  'writes a file where %s are, and leaves nothing behind',
  async (to) => {
    const folder = to === 'files' ? deps.config.filesDir : deps.config.backupsDir
    const list = () => readdir(folder, { recursive: true })
    const before = await list()
    expect(await send({ to })).toMatchObject({
      isOk: true,
      answer: expect.stringContaining(folder) as string,
    })
    expect(await list()).toEqual(before)
    deps.config = { ...deps.config, filesDir: join(folder, 'no'), backupsDir: join(folder, 'no') }
    expect(await send({ to })).toMatchObject({
      isOk: false,
      answer: expect.stringContaining('ENOENT') as string,
    })
  },
)

it('is recorded by its host, without the address of a person or the path of an address', async () => {
  await mailTo('somebody.private@example.org')
  await send({ to: 'webhook', url: `${hookServer.url}/secret-path` })
  await send({ to: 'files' })
  const rows = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
  const tests = rows.filter(({ action }) => action === 'installation.send-test')
  expect(tests.map(({ subjectName }) => subjectName)).toEqual([
    'a mail to example.org',
    `a request to ${hookServer.host}`,
    'a file to the store of files',
  ])
  expect(JSON.stringify(tests)).not.toMatch(/private|secret-path/)
})
