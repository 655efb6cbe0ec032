import { z } from 'zod'

import { sendRequestSchema } from '../../send/send-request'
import { failureSchema } from '../failure'
import { MAX_HOST_LENGTH } from './messages'

/** Of a body, at a time. */
export const PIECE_BYTES = 256 * 1024
/** So many pieces are on their way that the child has not passed on. */
export const PIECES_AHEAD = 4

const id = z.number().int().nonnegative()
const slot = z.number().int().nonnegative()

/** A message to a process that sends; those of fetches have other types, or mean the same. */
export const toSenderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('send'), id, request: sendRequestSchema }),
  /** Bytes of the body follow. */
  z.object({ type: z.literal('piece'), id }),
  /** That was all of the body. */
  z.object({ type: z.literal('whole'), id }),
  /** Ends a sending, whatever it is doing. */
  z.object({ type: z.literal('end'), id }),
  /** Grants a slot that the sending asked for. */
  z.object({ type: z.literal('entered'), id, slot }),
])
export type ToSender = z.infer<typeof toSenderSchema>

/** A message from a process that sends. */
export const fromSenderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The other side is ready for one more piece. */
  z.object({ type: z.literal('wanted'), id }),
  z.object({ type: z.literal('sent'), id, text: z.string().max(2_000) }),
  z.object({ type: z.literal('failed'), id, failure: failureSchema }),
  z.object({ type: z.literal('enter'), id, slot, host: z.string().max(MAX_HOST_LENGTH) }),
  z.object({ type: z.literal('leave'), id, slot }),
  z.object({ type: z.literal('pong') }),
])
export type FromSender = z.infer<typeof fromSenderSchema>
