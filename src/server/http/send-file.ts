import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../domain/deps'
import { openContent } from '../features/stored-files/open-content'
import type { ReadableFile } from '../features/versions/connection-files'
import { chooseAnswer } from './conditions'
import { contentDisposition } from './content-disposition'

/** How a route sends its files. */
type Sending = {
  lastModified?: string | undefined
  /** Further headers of every answer. */
  headers?: Record<string, string | number>
}

/** Answers a GET or HEAD request with a file, a range of it, or that it has not changed. */
export async function sendFile(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: ReadableFile,
  { lastModified, headers = {} }: Sending = {},
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`
  const { sizeBytes } = file
  const answer = chooseAnswer(request.method, request.headers, { etag, lastModified, sizeBytes })
  const { start, end } = 'range' in answer ? answer.range : { start: 0, end: sizeBytes - 1 }
  const length = end - start + 1
  const isSent = request.method === 'GET' && (answer.status === 200 || answer.status === 206)
  // Opened before any header is set, so that an error carries none of the file's headers.
  const content = isSent ? await openContent(deps, file, { start, end }) : undefined
  // A reader that resumes has been recorded when it began.
  if (isSent ? start === 0 : answer.status === 304) {
    file.onRead?.({ userAgent: request.headers['user-agent'], isSent })
  }
  if (isSent) {
    reply.raw.once('finish', () => deps.metrics.fileSent(length))
  }
  reply
    .status(answer.status)
    .headers(headers)
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', 'sandbox')
    .header('content-disposition', contentDisposition(file))
    .header('accept-ranges', 'bytes')
  if (lastModified !== undefined) reply.header('last-modified', lastModified)
  if (answer.status === 304) return reply.send()
  if (answer.status === 416) return reply.header('content-range', `bytes */${sizeBytes}`).send()
  if (answer.status === 206) reply.header('content-range', `bytes ${start}-${end}/${sizeBytes}`)
  return reply
    .type(`${file.form.mediaType}; charset=utf-8`)
    .header('content-length', length)
    .send(content)
}
