import { writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'

import { readCsvSeeds, readJsonSeeds } from '../../../../../scripts/read-seeds'
import { pageRequest, readListView } from '../../../../client/lib/list-view'
import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { createDestinationInput, timeZoneSchema } from '../../../../shared/schemas/destination'
import { toSentName } from '../../../features/distribution/destinations/file-names'
import { fromFetcherSchema } from '../../../files/children/fetcher/messages'
import { receiveMessages } from '../../../files/children/lines'
import {
  fromReaderSchema,
  MESSAGE_LIMITS,
  resultSchemas,
} from '../../../files/children/reader/messages'
import { createJsonPoster } from '../../../files/fetch/post-json'
import { readIdentity } from '../../../identity/claims'
import { readBackupName } from '../../../restore/restore-staging'
import { packArchive } from '../../../storage/backup-archive'
import { MANIFEST_PART } from '../../../storage/backup-parts'
import { openBackupSource } from '../../../storage/backup-source'
import type { Task } from './measure'
import { fillSchema } from './schema-inputs'
import { openStage } from './stage'
import { type Text, FEW_TEXTS, TEXTS } from './texts'

const KB = 1024
/** What a program of the server reads of the head of an answer. */
const LARGEST_HEAD = 16 * KB
/** Longer than what administrators are given by others. */
const LARGEST_FILE = 1024 * KB
/** A thousand suppliers. */
const LARGEST_LIST = 64 * KB

const ofTexts = (
  run: (text: string) => unknown,
  largest: number,
  inputs: Record<string, Text> = TEXTS,
): Task => ({ run: (text) => run(text as string), inputs, largest })

/** Whatever is refused ends the work early. */
const attempt = async (work: () => unknown) => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

/** The headers of a source's answer, each with the status where it is read. */
const ANSWERS = {
  'retry-after': 503,
  location: 302,
  etag: 200,
  'last-modified': 200,
  'content-type': 200,
  'content-encoding': 200,
  'content-length': 200,
}

async function readSourceHead(text: string) {
  const { answer, source, run, path } = await openStage()
  for (const [name, status] of Object.entries(ANSWERS)) {
    answer(
      Buffer.from(`HTTP/1.1 ${status} A\r\nConnection: close\r\n${name}: ${text}\r\n\r\na,b\n`),
    )
    const task = { reading: AUTOMATIC_READING, draft: path('container') }
    await attempt(() => run('preview', task, () => undefined, source))
  }
}

async function postToReceiver(text: string) {
  const { answer, source, host } = await openStage()
  const { post } = createJsonPoster({ allow: [host] })
  const request = { url: source.url, headers: {}, body: '{}', signal: new AbortController().signal }
  for (const head of [`200 ${text}`, `200 OK\r\na: ${text}`, `302 A\r\nlocation: ${text}`]) {
    answer(Buffer.from(`HTTP/1.1 ${head}\r\n\r\n${text}`))
    await attempt(() => post(request))
  }
}

/** What a program that fetches or reads files may write, although a file has taken it over. */
async function readMessages(text: string) {
  for (const from of [fromFetcherSchema, fromReaderSchema]) {
    const stream = new PassThrough()
    receiveMessages(
      stream,
      MESSAGE_LIMITS,
      (message) => from.safeParse(message),
      () => undefined,
    )
    for (const message of fillSchema(from, { text, items: 1 })) {
      stream.write(`${JSON.stringify(message)}\n`)
    }
    stream.end(`${text}\n`)
    await finished(stream)
  }
  for (const schema of Object.values(resultSchemas)) {
    for (const result of fillSchema(schema, { text, items: 1 })) schema.safeParse(result)
  }
}

async function readBackup(text: string) {
  const { path } = await openStage()
  const packed = Buffer.from(`{"createdAt":${JSON.stringify(text)},"files":[${text}]}`)
  const open = () => PassThrough.from([packed])
  const part = { name: MANIFEST_PART, sizeBytes: packed.length, open }
  const archives = [Buffer.from(text), await buffer(packArchive([part], new Date(0)))]
  for (const archive of archives) {
    await writeFile(path('backup.tar'), archive)
    const source = await openBackupSource(path('backup.tar'))
    await attempt(() => source && readBackupName(source))
    await source?.parts.return(undefined)
  }
}

async function readSeeds(text: string) {
  const header = 'username,password,companyName,contactEmail'
  const cells = text.split(/[,\n|>]/).map((cell) => `"${cell.replaceAll('"', '""')}"`)
  const rows = cells.map((cell) => [cell, cell, cell, cell].join())
  const entries = cells.map((cell) => ({ username: cell, password: cell, companyName: cell }))
  await attempt(() => readCsvSeeds([header, ...rows].join('\n')))
  await attempt(() => readCsvSeeds(text))
  await attempt(() => readJsonSeeds(JSON.stringify(entries)))
  await attempt(() => readJsonSeeds(text))
}

/** How people say when and under which name files are sent, and what becomes of that. */
function enterDestination(text: string) {
  const places = { fileName: text, times: text.split(','), name: text, config: { url: text } }
  const facts = { versionId: 1, at: 0, timeZone: 'UTC', extension: 'csv' }
  return [
    createDestinationInput.safeParse({ id: 1, ...places }),
    timeZoneSchema.safeParse(text),
    toSentName(text, { ...facts, supplierName: text }),
    toSentName('{supplier}', { ...facts, supplierName: text }),
  ]
}

/** What arrives neither as a file of a supplier nor as a call. */
export const otherCases: Record<string, Task> = {
  'the head of a source’s answer': ofTexts(readSourceHead, LARGEST_HEAD),
  'the answer of a webhook’s receiver': ofTexts(postToReceiver, LARGEST_HEAD, FEW_TEXTS),
  'a message of a program that fetches or reads files': ofTexts(readMessages, 64 * KB, FEW_TEXTS),
  'a person at an identity provider': ofTexts(async (claim) => {
    const claims = { email_verified: 'true', name: claim, picture: `https://${claim}` }
    await attempt(() => readIdentity({ ...claims, email: 'a@b.example' }))
    await attempt(() => readIdentity({ ...claims, email: claim }))
  }, LARGEST_FILE),
  'the address of a page in the browser': ofTexts((q) => {
    const view = readListView({ q, sort: q, page: q, size: q }, ['a', 'b'])
    return [view, pageRequest({ q, sort: q }, ['a', 'b'])]
  }, LARGEST_FILE),
  'a destination that people enter': ofTexts(enterDestination, LARGEST_LIST),
  'an archive of a backup': ofTexts(readBackup, LARGEST_FILE, FEW_TEXTS),
  'a list of suppliers': ofTexts(readSeeds, LARGEST_LIST),
}
