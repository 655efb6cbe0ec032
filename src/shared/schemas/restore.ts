import { z } from 'zod'

import { RESTORE_STEPS } from '../constants'
import { backupFileNameInput, backupFileSchema } from './cron-job'
import { instantSchema } from './primitives'

const BACKUP_NAME_MAX_LENGTH = 100

/** A restore into the running installation; the name of the backup is typed. */
export const beginRestoreInput = backupFileNameInput.extend({
  typedName: z.string().trim().min(1, 'Type the name of the backup').max(BACKUP_NAME_MAX_LENGTH),
})

const count = z.number().int().nonnegative()

/** What a restore would do. */
export const restorePreviewSchema = backupFileSchema
  .pick({ filename: true, createdAt: true, size: true, drill: true })
  .extend({
    name: z.string(),
    /** Which version of the product made it. */
    productVersion: z.string(),
    /** What was made since, and would be gone. */
    lost: z.object({ versions: count, accounts: count, retailers: count }),
    /** Why it cannot be restored now; null when it can. */
    problem: z.string().nullable(),
  })
export type RestorePreview = z.infer<typeof restorePreviewSchema>

/** The restore that was asked for last; null when there was none. */
export const restoreStateSchema = z
  .object({
    backup: z.string(),
    step: z.enum(RESTORE_STEPS),
    /** What is done at the moment. */
    detail: z.string().nullable(),
    requestedAt: instantSchema,
    endedAt: instantSchema.nullable(),
    /** Why nothing was restored. */
    reason: z.string().nullable(),
  })
  .nullable()
export type RestoreState = NonNullable<z.infer<typeof restoreStateSchema>>
