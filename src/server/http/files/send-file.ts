import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import {
  toContentType,
  type ReadableFile,
} from '../../features/catalogue/versions/connection-files'
import {
  forgetCopies,
  mayHaveCopies,
  requestCopy,
} from '../../features/distribution/compressed-files/compressed-files'
import { openContent } from '../../features/distribution/stored-files/open-content'
import {
  chooseAnswer,
  type FileAnswer,
  OTHER_FILE,
  toLastModified,
  type Validators,
} from './conditions'
import { contentDisposition } from './content-disposition'
import { toFileHeaders, toRange, type FileSending } from './file-headers'
import {
  chooseRepresentation,
  preferredCoding,
  toRepresentation,
  type Representation,
} from './representations'

type Sending = FileSending & {
  /** Whether a whole file may come from the store itself, if the configuration says so. */
  mayRedirect?: boolean
}

/** How long an address of the store works: as long as a browser needs to follow a redirect. */
const ADDRESS_SECONDS = 60

/**
 * Answers a GET or HEAD request with a file or a range of it, or that it has not changed or is another
 * one than the reader wants.
 */
export async function sendFile(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: ReadableFile,
  { modifiedAt, headers, mayRedirect = false }: Sending = {},
): Promise<FastifyReply> {
  if (mayRedirect && deps.config.redirectsDownloads) {
    const address = await findAddress(deps, request, file)
    if (address !== undefined) {
      await file.onRead?.({ userAgent: request.headers['user-agent'], isSent: true })
      return reply.header('cache-control', 'private, no-store').redirect(address)
    }
  }
  // Opened before any header is set, so that an error carries none of the file's headers.
  const times = {
    modifiedAt,
    lastModified:
      modifiedAt === undefined ? undefined : toLastModified(modifiedAt, deps.clock.now()),
  }
  const opened = await openAnswer(deps, request, file, times)
  const { answer, isSent, content, storedPath, representation } = opened
  const { start, end } = toRange(answer, representation)
  // A reader that resumes has been recorded when it began.
  if (isSent ? start === 0 : answer.status === 304) {
    await file.onRead?.({ userAgent: request.headers['user-agent'], isSent })
  }
  if (isSent) {
    reply.raw.once('finish', () => deps.metrics.fileSent(end - start + 1))
  }
  const { lastModified } = times
  reply.status(answer.status)
  reply.headers(toFileHeaders(file, { answer, representation, lastModified, headers }))
  if (storedPath !== undefined) {
    // Both are said by nginx as well.
    for (const name of ['content-length', 'accept-ranges']) reply.removeHeader(name)
    return reply.header('x-accel-redirect', storedPath).send()
  }
  return reply.send(answer.status === 412 ? { message: OTHER_FILE } : content)
}

/** Returns the address of a whole file in its store; undefined for any other answer than the whole file. */
async function findAddress(
  { files }: Deps,
  { method, headers }: FastifyRequest,
  file: ReadableFile,
): Promise<string | undefined> {
  const answer = chooseAnswer(method, headers, toRepresentation(file))
  if (method !== 'GET' || answer.status !== 200) return undefined
  return files.presign?.(file.sha256, ADDRESS_SECONDS, {
    contentType: toContentType(file.form),
    contentDisposition: contentDisposition(file),
    cacheControl: 'private, no-cache',
  })
}

type OpenedAnswer = {
  representation: Representation
  answer: FileAnswer
  /** Whether the answer has a body. */
  isSent: boolean
  /** What is sent; undefined for answers without a body, and if nginx sends it. */
  content: Buffer | Readable | undefined
  /** Where nginx finds it. */
  storedPath: string | undefined
}

async function openAnswer(
  deps: Deps,
  request: FastifyRequest,
  file: ReadableFile,
  times: Pick<Validators, 'modifiedAt' | 'lastModified'>,
): Promise<OpenedAnswer> {
  const open = async (representation: Representation): Promise<OpenedAnswer> => {
    const validators = { ...representation, ...times }
    const answer = chooseAnswer(request.method, request.headers, validators)
    const isSent = request.method === 'GET' && (answer.status === 200 || answer.status === 206)
    const isByNginx = isSent && (await isForNginx(deps, request, representation))
    const storedPath = isByNginx ? toStoredPath(representation) : undefined
    const range = toRange(answer, representation)
    const isRead = isSent && storedPath === undefined
    const content = isRead ? await openContent(deps, representation, range) : undefined
    return { representation, answer, isSent, content, storedPath }
  }
  const whole = toRepresentation(file)
  const preferred = preferredCoding(request.headers)
  if (!mayHaveCopies(file) || preferred === undefined) return open(whole)
  const { copies, missing } = await deps.compressedFiles.find(file.sha256)
  const chosen = chooseRepresentation(request.headers, whole, copies.map(toRepresentation))
  try {
    const opened = await open(chosen)
    if (missing.includes(preferred) && opened.isSent) {
      await requestCopy(deps, file.sha256, preferred)
    }
    return opened
  } catch (error) {
    if (chosen === whole || !(error instanceof DomainError)) throw error
    // The copy is missing.
    await forgetCopies(deps, file.sha256)
    return open(whole)
  }
}

/** nginx judges conditions by the file's own time: those it must not see are answered here. */
const JUDGED_BY_NGINX = ['range', 'if-range', 'if-none-match', 'if-modified-since'] as const

/** Whether nginx sends the file: a whole one that is not kept in memory, and is there. Of others it could not say why. */
async function isForNginx(
  { config, smallFiles, files }: Deps,
  { headers }: FastifyRequest,
  { sha256, sizeBytes }: Representation,
): Promise<boolean> {
  return (
    config.sendsThroughNginx &&
    !smallFiles.keeps(sizeBytes) &&
    JUDGED_BY_NGINX.every((name) => headers[name] === undefined) &&
    files.has(sha256)
  )
}

/** The location of `deploy/nginx.files.conf`, which leads to the folder of stored files. */
const toStoredPath = ({ sha256 }: Representation) =>
  `/stored-files/${sha256.slice(0, 2)}/${sha256}.csv`
