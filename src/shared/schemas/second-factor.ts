import { z } from 'zod'

import { instantSchema } from './primitives'

/** The caller's own second factor. */
export const ownSecondFactorSchema = z.object({
  /** When it was turned on; null while it is off. */
  since: instantSchema.nullable(),
  recoveryCodesLeft: z.number(),
  /** Whoever has no password signs in with Google, which asks for a second factor itself. */
  hasPassword: z.boolean(),
  /** An administrator asks for it: it can be replaced, but not turned off. */
  isRequired: z.boolean(),
})
export type OwnSecondFactor = z.infer<typeof ownSecondFactorSchema>

/** What an authenticator app needs. */
export const secondFactorSetupSchema = z.object({
  /** In base32. */
  key: z.string(),
  /** The same as an address of the scheme otpauth, for a QR code. */
  uri: z.string(),
  /** To be sent back: the key as this server has encrypted it. */
  setup: z.string(),
})
export type SecondFactorSetup = z.infer<typeof secondFactorSetupSchema>

const code = z.string({ error: 'Code is required' }).trim().min(1, 'Code is required').max(100)
const password = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(1_000)

/** What turning it off, or making new recovery codes, takes: a code of the app, or a recovery code. */
export const secondFactorProofInput = z.object({ password, code })
export type SecondFactorProofInput = z.infer<typeof secondFactorProofInput>

export const turnOnSecondFactorInput = secondFactorProofInput.extend({
  setup: z.string({ error: 'setup is required' }).max(1_000),
  /** Of the second factor that is on, which this one then replaces. */
  oldCode: code.optional(),
})
export type TurnOnSecondFactorInput = z.infer<typeof turnOnSecondFactorInput>

/** Shown once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.string().array() })
