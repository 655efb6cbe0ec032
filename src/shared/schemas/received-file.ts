import { z } from 'zod'

import { RECEIVED_FILE_STATES, RECEIVED_WAYS } from '../constants'
import { idSchema, instantSchema } from './primitives'

/** A file that somebody has sent to a connection, and what became of it. */
export const receivedFileSchema = z.object({
  id: idSchema,
  /** As its sender calls it. */
  fileName: z.string(),
  sizeBytes: z.number().int(),
  receivedAt: instantSchema,
  /** The username of who sent it; null for one that came by an upload link, and to who looks by one. */
  receivedBy: z.string().nullable(),
  /** The last characters of the upload link by which it came. */
  linkEnd: z.string().nullable(),
  /** How it came, if neither a user nor an upload link has sent it; and from whom, as that way names people. */
  way: z.enum(RECEIVED_WAYS).nullable(),
  sender: z.string().nullable(),
  state: z.enum(RECEIVED_FILE_STATES),
  /** Why it is held, was refused, or was skipped. */
  message: z.string().nullable(),
  /** Of an update its own rows, and not those of the published file; null until it has been read. */
  rows: z.number().int().nullable(),
  /** When it was decided what becomes of it; null while it waits or is read. */
  endedAt: instantSchema.nullable(),
})
export type ReceivedFile = z.infer<typeof receivedFileSchema>

export const receivedFileInput = z.object({ id: idSchema, fileId: idSchema })
export type ReceivedFileInput = z.infer<typeof receivedFileInput>
