import { z } from 'zod'

import { MAX_GRACE_DAYS, MAX_PASSWORD_MIN_LENGTH, PASSWORD_MIN_LENGTH, ROLES } from '../constants'
import { instantSchema } from './primitives'

/** How many people of a role can sign in, and whether they need a second factor for it. */
const requirementSchema = z.object({
  role: z.enum(ROLES),
  /** How long after `since` they can do without; null when none is required. */
  graceDays: z.number().nullable(),
  since: instantSchema.nullable(),
  people: z.number(),
  /** Those among them who have none. */
  peopleWithout: z.number(),
})
export type FactorRequirement = z.infer<typeof requirementSchema>

/** What the installation asks of all who sign in. */
export const signInRulesSchema = z.object({
  requirements: requirementSchema.array(),
  passwordMinLength: z.number(),
  /** Whether new passwords that are among the first guesses are refused. */
  isCommonRefused: z.boolean(),
})
export type SignInRules = z.infer<typeof signInRulesSchema>

const DAYS = `Days must be a whole number from 0 to ${MAX_GRACE_DAYS}`
const LENGTH = `The minimum length must be a whole number from ${PASSWORD_MIN_LENGTH} to ${MAX_PASSWORD_MIN_LENGTH}`

/** Days of grace; null where no second factor is required. */
const graceDays = z.number(DAYS).int(DAYS).min(0, DAYS).max(MAX_GRACE_DAYS, DAYS).nullable()

export const changeSignInRulesInput = z.object({
  graceDays: z.object({ SUPER_ADMIN: graceDays, SUPPLIER: graceDays, RETAILER: graceDays }),
  passwordMinLength: z
    .number(LENGTH)
    .int(LENGTH)
    .min(PASSWORD_MIN_LENGTH, LENGTH)
    .max(MAX_PASSWORD_MIN_LENGTH, LENGTH),
  isCommonRefused: z.boolean(),
})
export type ChangeSignInRulesInput = z.infer<typeof changeSignInRulesInput>
