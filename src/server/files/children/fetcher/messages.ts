import { z } from 'zod'

import { COMPRESSIONS } from '../../../../shared/table-forms'
import type { FetchRequest } from '../../fetch/fetch-context'
import { failureSchema } from '../failure'

export const MESSAGE_LIMITS = { lineBytes: 256 * 1024, payloadBytes: 512 * 1024 }
/** How much of a body a fetcher holds that its parent has not asked for. */
export const AHEAD_BYTES = 256 * 1024

/** Of a file; longer ones are not found. */
const MAX_NAME_LENGTH = 255

/** Longer than any resolvable host name; longer ones are cut. */
export const MAX_HOST_LENGTH = 300

/** A message from the parent to a fetcher. */
export type ToFetcher =
  | { type: 'fetch'; id: number; request: Omit<FetchRequest, 'hosts' | 'signal'> }
  /** Asks for the next bytes of a body. */
  | { type: 'next'; id: number }
  /** Ends a fetch, whatever it is doing. */
  | { type: 'end'; id: number }
  /** Grants a slot that the fetch asked for. */
  | { type: 'entered'; id: number; slot: number }
  | { type: 'ping' }

const id = z.number().int().nonnegative()
/** A response header; the fetcher accepts at most 16 KiB of them together. */
const headerValue = z.string().max(16 * 1024)

const responseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unchanged') }),
  z.object({
    kind: z.literal('content'),
    etag: headerValue.nullable(),
    lastModified: headerValue.nullable(),
    mediaType: headerValue,
    charset: headerValue.nullable(),
    compression: z.enum(COMPRESSIONS),
    expectedBytes: z.number().int().nonnegative().nullable(),
    finalUrl: z.string().max(16 * 1024),
    fileName: headerValue,
    foundName: z.string().max(MAX_NAME_LENGTH).optional(),
  }),
])

/** A message from a fetcher to its parent. */
export const fromFetcherSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('response'), id, response: responseSchema }),
  /** The next bytes of a body follow. */
  z.object({ type: z.literal('bytes'), id }),
  z.object({ type: z.literal('ended'), id }),
  z.object({ type: z.literal('failed'), id, failure: failureSchema }),
  /** Asks for a slot at a host, under a number that the fetch chooses. */
  z.object({
    type: z.literal('enter'),
    id,
    slot: z.number().int().nonnegative(),
    host: z.string().max(MAX_HOST_LENGTH),
  }),
  z.object({ type: z.literal('leave'), id, slot: z.number().int().nonnegative() }),
  z.object({ type: z.literal('pong') }),
])
export type FromFetcher = z.infer<typeof fromFetcherSchema>
