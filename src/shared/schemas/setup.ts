import { z } from 'zod'

import { newPasswordSchema, usernameSchema } from './primitives'

const TOKEN_MAX_LENGTH = 100

const token = z
  .string({ error: 'The set-up token is required' })
  .trim()
  .min(1, 'The set-up token is required')
  .max(TOKEN_MAX_LENGTH, 'This is not the set-up token')

/** The token that the terminal has printed. */
export const setupTokenInput = z.object({ token })

/** The first administrator, made by whoever has the token. */
export const setupInput = z.object({ token, username: usernameSchema, password: newPasswordSchema })
export type SetupInput = z.infer<typeof setupInput>

const BACKUP_ID_MAX_LENGTH = 100

/** A backup to begin with, chosen by whoever has the token. */
export const setupRestoreInput = z.object({
  token,
  backup: z.string().min(1, 'Choose a backup').max(BACKUP_ID_MAX_LENGTH, 'Choose a backup'),
  /** Vouches for a backup whose signature cannot be checked here. */
  isTrusted: z.boolean().default(false),
})

/** A backup that can be chosen. */
export type OfferedBackup = {
  /** Its name; `SENT_BACKUP` for the one that was sent. */
  id: string
  name: string
  /** ISO 8601 in UTC. */
  createdAt: string
  sizeBytes: number
  /** Which version of the product made it. */
  productVersion: string
  /** It needs a newer version of the product than this one. */
  isNewer: boolean
  /** `contradicted`: changed after it was made; the others but `valid` cannot be checked here. */
  signature: 'valid' | 'contradicted' | 'key-missing' | 'unsigned'
  /** The key with which it is signed. */
  keyId: string | null
}

/** What becomes of a restore that was begun in the browser. */
export type RestoreProgress = {
  state: 'idle' | 'running' | 'failed'
  /** What was done so far, in sentences. */
  lines: readonly string[]
  /** Why it failed, in a sentence. */
  problem: string | null
}

/** The form of the page, where the password is entered twice. */
export const setupFormSchema = z
  .object({
    username: usernameSchema,
    password: newPasswordSchema,
    confirmPassword: z.string().min(1, 'Please confirm your password'),
  })
  .superRefine(({ password, confirmPassword }, context) => {
    if (confirmPassword && password !== confirmPassword) {
      const message = "Passwords don't match"
      context.addIssue({ code: 'custom', path: ['confirmPassword'], message })
    }
  })
export type SetupForm = z.infer<typeof setupFormSchema>
