import { readdir, readFile } from 'node:fs/promises'

import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { allowSenders, createMailInbox } from '../../features/publication/mailed-files/mail-inboxes'
import { listMails } from '../../features/publication/mailed-files/mails'
import { CSV, writeMail } from '../../testing/fixtures/mails'
import { findFreePort } from '../../testing/servers/free-port'
import { type ByHandStage, openByHandStage } from '../../testing/stages/by-hand-stage'
import { openInbox, type RunningInbox } from '../inbox-process'
import { MAX_CONNECTIONS_OF_ADDRESS } from './smtp-connections'

const SENDER = 'stock@acme.example'
const settings = { host: '127.0.0.1', name: 'in.example.com', networks: [], certificate: null }

let stage: ByHandStage
let inbox: RunningInbox
let port: number
let address: string
beforeEach(async () => {
  port = await findFreePort()
  const smtpInbox = { ...settings, port }
  stage = await openByHandStage({}, { mailInboxDomain: 'in.example.com', smtpInbox })
  const { deps, supplier, id } = stage
  address = (await createMailInbox(deps, supplier, id)).address
  await allowSenders(deps, supplier, { id, allowedSenders: [SENDER] })
  inbox = openInbox(deps)!
  await inbox.takesMails
})
afterEach(async () => {
  await inbox.close()
  await stage.close()
})

async function send(raw: Buffer, to = address): Promise<string> {
  const mailer = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    const { response } = await mailer.sendMail({ envelope: { from: SENDER, to }, raw })
    return response
  } catch (error) {
    const { response, message } = error as Error & { response?: string }
    return response ?? message
  } finally {
    mailer.close()
  }
}

const states = async () =>
  (await listMails(stage.deps, stage.supplier, stage.id)).map(({ state }) => state)

/** The process that has the sockets. */
async function findInbox(): Promise<number> {
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    )
    const isOurs = / \S (\d+) /.exec(stat?.slice(stat.lastIndexOf(')') + 1) ?? '')?.[1]
    if (isOurs === String(process.pid) && command?.includes('inbox.')) return Number(name)
  }
  throw new Error('There is no inbox')
}

describe('a mail at the port', () => {
  it('is answered once its file is taken, which is published then', async () => {
    expect(await send(writeMail())).toBe('250 2.6.0 The file is taken')
    expect(await states()).toEqual(['taken'])
    await stage.deps.work()
    expect(await stage.publishedText()).toBe(CSV)
    expect(await send(writeMail())).toBe('250 2.6.0 The file is taken')
    expect(await stage.received()).toHaveLength(1)
  })

  it('waits when its sender is somebody else, which its mail server need not know', async () => {
    expect(await send(writeMail({ from: 'other@acme.example' }))).toMatch(
      /^250 2\.6\.0 The file waits/,
    )
    expect(await states()).toEqual(['waiting'])
  })

  it('is refused with a sentence when there is no table in it', async () => {
    const answer = await send(writeMail({ attachments: [] }))
    expect(answer).toMatch(/^554 5\.6\.0 No table is attached to it/)
  })

  it('is refused at an address that is none', async () => {
    expect(await send(writeMail(), 'northbeck+aaaaaaaaaaaaa@in.example.com')).toMatch(/^550/)
    expect(await send(writeMail(), 'root@elsewhere.example')).toMatch(/^550/)
  })

  it('of many megabytes comes in whole, and one that is too large not at all', async () => {
    const content = Buffer.from(`sku,stock\n${'A,1\n'.repeat(2_000_000)}`)
    expect(await send(writeMail({ attachments: [{ content }] }))).toMatch(/^250/)
    const large = Buffer.alloc(40 * 1024 * 1024, 'x')
    expect(await send(writeMail({ attachments: [{ content: large }] }))).toMatch(/^552/)
    expect(await states()).toEqual(['taken'])
  })

  it('comes in while others fill all the connections that one address may have', async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_CONNECTIONS_OF_ADDRESS - 1 }, (_, index) =>
        send(writeMail({ id: `<${index}@acme.example>`, from: 'other@acme.example' })),
      ),
    )
    // More must not wait for a decision, and more must not arrive at once: these are for later.
    expect(answers.filter((answer) => !/^(?:250|451)/.test(answer))).toEqual([])
    expect(answers.some((answer) => answer.startsWith('250'))).toBe(true)
  })
})

describe('an inbox that is killed', () => {
  it.each(['before the mail has come whole', 'once the mail has come whole'])(
    'loses no mail and reads none twice: %s',
    async (moment) => {
      const { files } = stage.deps
      const reached = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const createDraft = files.createDraft.bind(files)
      const spy = vi.spyOn(files, 'createDraft').mockImplementation((owner) => {
        const draft = createDraft(owner)
        const isFirst = moment.startsWith('once')
        return Object.assign(Object.create(draft) as typeof draft, {
          path: draft.path,
          async commit(...args: Parameters<typeof draft.commit>) {
            reached.resolve()
            if (isFirst) await goOn.promise
            return draft.commit(...args)
          },
        })
      })
      const content = Buffer.from(`sku,stock\n${'A,1\n'.repeat(1_000_000)}`)
      const mail = writeMail({ attachments: [{ content }] })
      const sending = send(mail)
      if (moment.startsWith('once')) await reached.promise
      else await vi.waitUntil(() => spy.mock.calls.length > 0, { timeout: 20_000 })
      process.kill(await findInbox(), 'SIGKILL')
      expect(await sending).not.toMatch(/^250/)
      goOn.resolve()
      spy.mockRestore()
      // As mail servers do, until it is answered.
      await vi.waitUntil(async () => (await send(mail)).startsWith('250'), {
        timeout: 30_000,
        interval: 200,
      })
      expect(await states()).toEqual(['taken'])
      expect(await stage.received()).toHaveLength(1)
    },
  )
})
