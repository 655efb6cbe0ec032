import { z } from 'zod'

import { MEMBER_ROLES } from '../constants'
import { idSchema, instantSchema } from './primitives'

/** Somebody who signs in for a company. */
export const personSchema = z.object({
  id: idSchema,
  username: z.string(),
  displayName: z.string().nullable(),
  role: z.enum(MEMBER_ROLES),
  isActive: z.boolean(),
  /** The login that the company was registered with. Its row is the company itself. */
  isFirst: z.boolean(),
  /** Whether the caller is this person. */
  isSelf: z.boolean(),
  /** The confirmed address for alerts. */
  mailAddress: z.string().nullable(),
  /** Whether signing in with the password takes a code too. */
  hasSecondFactor: z.boolean(),
  /** By which the person signs in without the password. */
  passkeyCount: z.number(),
  createdAt: instantSchema,
  /** When a session of the person was used last, within five minutes; null without one. */
  lastSeenAt: instantSchema.nullable(),
})
export type Person = z.infer<typeof personSchema>

/** Administrators name the company: the id of a supplier, or of a retailer's login. */
const companyId = idSchema.optional()

export const listPeopleInput = z.object({ companyId }).default({})

export const personInput = z.object({ personId: idSchema, companyId })

export const personRoleInput = personInput.extend({
  role: z.enum(MEMBER_ROLES, { error: 'This is not a role of people' }),
})

export const personActiveInput = personInput.extend({ isActive: z.boolean() })
