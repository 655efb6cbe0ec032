import { z } from 'zod'

import { receivedFileSchema } from './received-file'
import { secretLinkFields } from './secret-link'

/** A link by which files are sent to a connection, without its secret part. */
export const uploadLinkSchema = z.object(secretLinkFields)
export type UploadLink = z.infer<typeof uploadLinkSchema>

/** A new link. Only its hash is stored, so it is shown once. */
export const newUploadLinkSchema = z.object({
  /** The path: /upload/{token} */
  path: z.string(),
})
export type NewUploadLink = z.infer<typeof newUploadLinkSchema>

const LONGEST_TOKEN = 100

export const uploadPageInput = z.object({
  token: z.string().max(LONGEST_TOKEN).describe('The secret part of the upload link'),
})

/** What is seen by an upload link, and nothing else. */
export const uploadPageSchema = z.object({
  connectionName: z.string(),
  supplierName: z.string(),
  /** The largest file that can be sent. */
  maxBytes: z.number().int(),
  /** A paused connection takes no files. */
  isPaused: z.boolean(),
  /** Whether files have only what has changed, so that a full one is to be said to be one. */
  takesUpdates: z.boolean(),
  files: z.array(receivedFileSchema),
})
export type UploadPage = z.infer<typeof uploadPageSchema>
