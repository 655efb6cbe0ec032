import { z } from 'zod'

import { PASSWORD_MAX_LENGTH } from '../constants'
import { upTo } from './bounds'
import { idInQuery, idSchema, instantSchema } from './primitives'

/** Where somebody is signed in. */
export const sessionSchema = z.object({
  /** Names it, and gives no access to it. */
  id: z.string(),
  /** The browser or program that signed in, such as `Firefox on Windows`; null where it is not known. */
  program: z.string().nullable(),
  /** The client address of the last use, of IPv6 its network; null where it is not known. */
  address: z.string().nullable(),
  since: instantSchema,
  /** Within five minutes. */
  lastUsedAt: instantSchema,
  /** Whether the call was made in it. */
  isPresent: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>

/** For administrators: whose sessions; without it they are the caller's own. */
const personId = idSchema.optional()

export const listSessionsInput = z.object({ personId: idInQuery }).default({})

const NO_SESSION = 'This is not the id of a session'

export const endSessionInput = z.object({
  /** Its id. */
  session: z.string(NO_SESSION).regex(/^[0-9a-f]{64}$/, NO_SESSION),
  personId,
})

export const endSessionsInput = z.object({ personId }).default({})

/** What the caller types to confirm who is there. */
export const confirmInput = z.object({
  password: z
    .string({ error: 'Password is required' })
    .min(1, 'Password is required')
    .max(...upTo('Password', PASSWORD_MAX_LENGTH)),
})
