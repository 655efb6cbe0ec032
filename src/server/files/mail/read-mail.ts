import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit'
import libmime from 'libmime'

import { UNSAFE_CHARACTERS } from '../../../shared/web-address'
import type { ScratchFile } from '../../storage/scratch-file'
import { FileError } from '../file-error'
import { type Dmarc, type HeaderField, readDmarc } from './authentication-results'
import { readSingleAddress } from './header-text'
import type { MailReport } from './mail-report'
import { createReportReading } from './report-reading'
import { isWinmail, nameOfTable, type Part } from './table-attachment'

/** Of all parts together: an ordinary message has two to ten. */
const MAX_PARTS = 1_000
const MAX_HEAD_BYTES = 256 * 1024
const MAX_DEPTH = 20
const MAX_SUBJECT_CHARACTERS = 200
const MAX_ID_CHARACTERS = 1_000
const MAX_REPORT_CHARACTERS = 200

export interface ReadOptions {
  /** The host whose results of DMARC count; null: none does. */
  authHost: string | null
  openDraft(): Promise<ScratchFile>
}

/** What is told of a message, besides its file. */
export interface MailFacts {
  /** The address that it says it is from, in lower case; null for none, several, or an unusual one. */
  sender: string | null
  subject: string | null
  /** As it came. */
  messageId: string | null
  date: string | null
  /** null: no host is configured. */
  dmarc: Dmarc | null
}

type Content = Awaited<ReturnType<ScratchFile['finish']>>
export type ReadMailResult = MailFacts & {
  /** The first of the attachments that is a table; null: none is. */
  file: { name: string; content: Content } | null
  /** Further tables, which are not read. */
  otherFiles: number
  /** Whether attachments may be in a `winmail.dat`. */
  hasWinmail: boolean
  /** What a mail server reports of another mail; null: it is no report. */
  mailReport: MailReport | null
}

/**
 * Reads a message as it came by mail, and writes its first table to a scratch file.
 * @throws FileError `mail` for a message with too many parts, or too deep ones
 */
export async function readMail(
  bytes: AsyncIterable<Buffer>,
  { authHost, openDraft }: ReadOptions,
): Promise<ReadMailResult> {
  const reading = createReading(authHost, openDraft)
  const splitter = new Splitter({
    ignoreEmbedded: true,
    maxHeadSize: MAX_HEAD_BYTES,
    maxChildNodes: MAX_PARTS,
  })
  try {
    await pipeline(bytes, splitter, async (chunks: AsyncIterable<SplitterChunk>) => {
      for await (const chunk of chunks) await reading.take(chunk)
    })
    return await reading.end()
  } catch (error) {
    await reading.abandon()
    throw (error as { code?: unknown }).code === 'EMAXLEN' ? tooComplex(error) : error
  }
}

const tooComplex = (cause?: unknown) =>
  new FileError('mail', 'The message has too many parts, or too long headers', { cause })

function createReading(authHost: string | null, openDraft: () => Promise<ScratchFile>) {
  let facts: MailFacts | undefined
  let file: { name: string; node: MimeNode; output: TableOutput } | undefined
  let otherFiles = 0
  let hasWinmail = false
  const report = createReportReading()

  async function begin(node: MimeNode): Promise<void> {
    if (depthOf(node) > MAX_DEPTH) throw tooComplex()
    if (node.root) facts = readFacts(node, authHost)
    report.begin(node)
    if (node.multipart) return
    const part: Part = { type: node.contentType || '', name: node.filename || '' }
    if (isWinmail(part)) hasWinmail = true
    const name = nameOfTable(part)
    if (name === null) return
    if (file) otherFiles++
    else file = { name, node, output: createOutput(node.getDecoder(), await openDraft()) }
  }

  return {
    async take(chunk: SplitterChunk): Promise<void> {
      if (chunk.type === 'node') await begin(chunk)
      else if (chunk.type !== 'body') return
      else if (report.take(chunk.node, chunk.value)) return
      else if (chunk.node === file?.node) await file.output.write(chunk.value)
    },
    async end(): Promise<ReadMailResult> {
      if (!facts) throw new FileError('mail', 'There is no message')
      const written = file && { name: file.name, content: await file.output.finish() }
      const found = await report.end()
      const told = found && { ...found, line: toLine(found.line, MAX_REPORT_CHARACTERS) }
      return { ...facts, file: written ?? null, otherFiles, hasWinmail, mailReport: told }
    },
    async abandon(): Promise<void> {
      await file?.output.discard()
    },
  }
}

function depthOf(node: MimeNode): number {
  let depth = 0
  for (let parent = node.parentNode; parent && depth <= MAX_DEPTH; parent = parent.parentNode) {
    depth++
  }
  return depth
}

type TableOutput = ReturnType<typeof createOutput>

/** Decodes what of a message is a file. */
function createOutput(decoder: Transform, draft: ScratchFile) {
  let decoded: Buffer[] = []
  decoder.on('data', (piece: Buffer) => decoded.push(piece))
  const flush = async () => {
    const pieces = decoded
    decoded = []
    for (const piece of pieces) await draft.write(piece)
  }
  return {
    async write(bytes: Buffer): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        decoder.write(bytes, (error) => (error ? reject(error) : resolve()))
      })
      await flush()
    },
    async finish() {
      await new Promise<void>((resolve, reject) => {
        decoder.once('end', resolve).once('error', reject)
        decoder.end()
      })
      await flush()
      return draft.finish()
    },
    discard: () => draft.discard(),
  }
}

function readFacts({ headers }: MimeNode, authHost: string | null): MailFacts {
  const fields: HeaderField[] = headers
    ? headers.getList().map(({ key, line }) => {
        const colon = line.indexOf(':')
        return { key, isPlain: colon === key.length, value: line.slice(colon + 1) }
      })
    : []
  const all = (name: string) => fields.filter(({ key }) => key === name).map(({ value }) => value)
  const [from, ...others] = all('from')
  const sender = from === undefined || others.length > 0 ? null : readSingleAddress(from)
  const text = (name: string, length: number) =>
    all(name)[0]?.replaceAll(/\s+/g, ' ').trim().slice(0, length) || null
  return {
    sender,
    subject:
      (headers && toLine(readWords(headers.getFirst('subject')), MAX_SUBJECT_CHARACTERS)) || null,
    messageId: text('message-id', MAX_ID_CHARACTERS),
    date: text('date', MAX_ID_CHARACTERS),
    dmarc: authHost === null ? null : readDmarc(fields, { host: authHost, sender }),
  }
}

/** As it is if it is in an unknown charset. */
function readWords(text: string): string {
  const some = text.slice(0, 10 * MAX_SUBJECT_CHARACTERS)
  try {
    return libmime.decodeWords(some)
  } catch {
    return some
  }
}

const UNSAFE = new RegExp(UNSAFE_CHARACTERS, 'gu')

/** For people, without what could disguise it. */
const toLine = (text: string, length: number): string =>
  Array.from(
    text
      .slice(0, 10 * length)
      .replaceAll(UNSAFE, ' ')
      .toWellFormed()
      .trim(),
  )
    .slice(0, length)
    .join('')
