import type { FastifyReply, FastifyRequest } from 'fastify'

import { readDispositionName, toFileName } from '../../../shared/file-name'
import { upload } from '../../api/upload-routes'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import {
  brokenOff,
  tooLarge,
  type SentFile,
} from '../../features/publication/received-files/arriving-file'
import { limitArrival, withoutArrivalLimit } from '../guards/connection-limits'

/** Longer headers are not looked at. */
const MAX_HEADER_CHARACTERS = 4_000

/**
 * What a request sends as its body, whatever its type.
 * @param options.name of the file, where the path has it
 * @param options.signal fires when the client has gone
 * @throws DomainError INVALID for a digest that is none, a part of a file, and a query that says something else; TOO_LARGE
 */
export function readSentFile(
  { config }: Deps,
  request: FastifyRequest,
  { signal, name }: { signal: AbortSignal; name?: string | undefined },
): { file: SentFile; signal: AbortSignal } {
  const { headers, raw } = request
  if (headers['content-range'] !== undefined) {
    throw new DomainError('INVALID', 'Send the whole file, without Content-Range')
  }
  if (Number(headers['content-length'] ?? 0) > config.maxFileBytes) {
    throw tooLarge(config.maxFileBytes)
  }
  const sha256 = readDigest(request)
  withoutArrivalLimit(raw)
  return {
    file: {
      fileName: readName(request, name),
      sha256,
      isFull: readFull(request),
      body: readBody(request, signal),
    },
    signal,
  }
}

/** Lets the client read a refusal before all of its body has arrived. */
export async function withBody<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(brokenOff()))
  try {
    return await work(gone.signal)
  } catch (error) {
    discardRest(request)
    throw error
  }
}

/** After a refusal: what is still on its way is not kept, but the client reads the answer first. */
function discardRest({ raw }: FastifyRequest): void {
  if (raw.complete) return
  limitArrival(raw)
  raw.resume()
}

export async function* readBody(
  { raw }: FastifyRequest,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    // The response needs the socket, also after half of the body.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    throw signal.aborted || raw.destroyed ? brokenOff() : error
  }
}

/** The last part of the name that the client gives, without what could disguise it. */
function readName({ headers, query }: FastifyRequest, given?: string): string {
  const { name } = query as { name?: unknown }
  const said = typeof name === 'string' ? name : given
  return toFileName(said ?? readDispositionName(headers['content-disposition']) ?? '') || 'file'
}

/** What `?full=` says: whether the file is a full one. */
function readFull({ query }: FastifyRequest): boolean | undefined {
  const { data, error } = upload.query.pick({ full: true }).safeParse(query)
  if (error) throw new DomainError('INVALID', error.issues[0]?.message ?? 'The query is not valid')
  return data.full
}

/** `sha-256=:…:` of RFC 9530, and `SHA-256=…` of RFC 3230. */
const CONTENT_DIGEST = /(?:^|,)\s*sha-256\s*=\s*:([^:]*):/i
const OLD_DIGEST = /(?:^|,)\s*sha-256\s*=\s*([^,\s]*)/i
const SHA256 = /^[A-Za-z0-9+/]{43}=?$/

/** The SHA-256 that the client says its body has, in hexadecimal; null without one. */
function readDigest({ headers }: FastifyRequest): string | null {
  const find = (name: string, pattern: RegExp) => {
    const text = headers[name]
    return typeof text === 'string'
      ? pattern.exec(text.slice(0, MAX_HEADER_CHARACTERS))?.[1]
      : undefined
  }
  const said = find('content-digest', CONTENT_DIGEST) ?? find('digest', OLD_DIGEST)
  if (said === undefined) return null
  if (!SHA256.test(said)) throw new DomainError('INVALID', 'The digest is no SHA-256 in base64')
  return Buffer.from(said, 'base64').toString('hex')
}
