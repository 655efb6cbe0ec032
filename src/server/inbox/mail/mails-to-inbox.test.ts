import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CSV, writeMail } from '../../testing/fixtures/mails'
import { type MailStage, openMailStage } from '../../testing/stages/mail-stage'
import { MAX_CONNECTIONS_OF_ADDRESS } from './smtp-connections'

let stage: MailStage
beforeEach(async () => {
  stage = await openMailStage()
})
afterEach(() => stage.close())

const send = (raw: Buffer, to?: string) => stage.mail(raw, to)
const states = () => stage.mailStates()

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
      stage.killInbox()
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
