import { sendByMail } from '../../features/distribution/destinations/send-by-mail'
import { findSentFile } from '../../features/distribution/destinations/sent-file'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import { putDestination } from '../fixtures/destinations'
import { createLinkedRetailer, createMember } from '../fixtures/factories'
import { recordLog } from '../fixtures/log-lines'
import { seedStock } from '../fixtures/stock'
import { startMailServer } from '../servers/mail-server'
import { openTestApp } from './test-app'

export const MAILED_CONTENT = 'sku,qty\r\n007,5\r\n008,7\r\n'
const FILE = { fileName: 'inventory.csv', mediaType: 'text/csv', versionName: 'inventory_1.csv' }

/** The part of a mail that is a file, as bytes in base64. */
const ATTACHED =
  /(Content-Type: [^\r]+)\r\nContent-Transfer-Encoding: base64\r\n.*?\r\n\r\n([\w+/=\r\n]+)\r\n--/s

export type FileMailStage = Awaited<ReturnType<typeof openFileMailStage>>

/** A retailer whose file goes to three of its people by mail, over a real mail server. */
export async function openFileMailStage(
  content = MAILED_CONTENT,
  overrides?: Parameters<typeof openTestApp>[0],
) {
  const mails = await startMailServer()
  const log = recordLog()
  const testApp = await openTestApp(
    {
      smtp: { url: mails.url, from: 'Stock <stock@example.com>' },
      publicUrl: 'https://stock.example.com',
      ...overrides,
    },
    { logger: log.logger },
  )
  const { deps } = testApp
  const { supplier, stored } = await seedStock(deps, { files: [content] })
  await deps.db
    .updateTable('users')
    .set({ companyName: 'Acme' })
    .where('id', '=', supplier.id)
    .execute()
  const { id: retailerId, user: company } = await createLinkedRetailer(deps, supplier)
  const people: UserRecord[] = []
  for (const name of ['ada', 'ben', 'cleo']) {
    const person = await createMember(deps, company, 'BUYER')
    await deps.db
      .updateTable('users')
      .set({ username: name, usernameKey: name })
      .where('id', '=', person.id)
      .execute()
    const confirmed = { userId: person.id, address: `${name}@shop.example` }
    await deps.db.insertInto('mailAddresses').values(confirmed).execute()
    people.push(person)
  }
  const [ada, ben, cleo] = people as [UserRecord, UserRecord, UserRecord]
  const recipients = people.map(({ id }) => id)
  const mailed = {
    kind: 'mail',
    name: 'Buyers',
    config: { url: '' },
    method: null,
    recipients,
  } as const
  const destinationId = await putDestination(deps, retailerId, { ...mailed, recipients })
  const version = await deps.db
    .selectFrom('versions')
    .selectAll()
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const file = {
    ...FILE,
    sha256: stored[0]!.sha256,
    sizeBytes: stored[0]!.sizeBytes,
    rowCount: 1204,
  }
  const readDestination = () =>
    deps.db
      .selectFrom('destinations')
      .selectAll()
      .where('id', '=', destinationId)
      .executeTakeFirstOrThrow()

  /** Stores a file on its way; its attempts are as after the lease of one. */
  async function putDispatch(attempts = 1): Promise<number> {
    const { id } = await deps.db
      .insertInto('dispatches')
      .values({
        ...file,
        destinationId,
        retailerId,
        destinationName: 'Buyers',
        kind: 'mail',
        versionId: version.id,
        idempotencyKey: 'a key',
        status: 'waiting',
        attempts,
        createdAt: deps.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return {
    testApp,
    deps,
    log,
    mails,
    supplier,
    company,
    retailerId,
    destinationId,
    version,
    file,
    ada,
    ben,
    cleo,
    readDestination,
    putDispatch,
    /** Makes one attempt. */
    async send(
      dispatchId: number | null,
      { body = readContent(content), sizeBytes = file.sizeBytes } = {},
    ) {
      const of = (await findSentFile(deps.db, { retailerId, mergedFileId: null }))!
      const { text } = await sendByMail(deps, {
        of,
        destination: await readDestination(),
        file: { ...file, sizeBytes },
        dispatchId,
        idempotencyKey: 'a key',
        isRepeat: false,
        body,
        signal: new AbortController().signal,
      })
      return text
    },
    /** The mails to a person, with their long lines joined again. */
    mailsTo: (name: string) =>
      mails.received
        .filter(({ to }) => to.includes(`${name}@shop.example`))
        .map(({ source }) =>
          source
            .replaceAll('=\r\n', '')
            .replaceAll('=3D', '=')
            .replaceAll(/\r\n[ \t]+/g, ' '),
        ),
    /** What the newest mail to a person has attached: its type, and what its text says. */
    attachedTo(name: string) {
      const sent = mails.received.findLast(({ to }) => to.includes(`${name}@shop.example`))
      const [, head = '', coded = ''] = ATTACHED.exec(sent?.source ?? '') ?? []
      return { head, text: Buffer.from(coded, 'base64').toString() }
    },
    async close() {
      await testApp.close()
      await mails.close()
    },
  }
}

const readContent = (content: string) =>
  async function* () {
    yield Buffer.from(content)
  }
