import { z } from 'zod'

import { idSchema, instantSchema } from './primitives'

/** What deleting the caller's account would do. */
export const ownAccountSchema = z.object({
  /** What the company is called, which a deletion may take along. */
  companyName: z.string(),
  /** What is typed to confirm it: those who sign in with Google only have no password. */
  confirmedBy: z.enum(['password', 'username']),
  /** Whoever is the only owner takes the company along; the last administrator can delete nothing. */
  what: z.enum(['person', 'company', 'nothing']),
  /** Retailers that go with a supplier. */
  retailerCount: z.number().int(),
})
export type OwnAccount = z.infer<typeof ownAccountSchema>

export const deleteAccountInput = z.object({
  confirmation: z.string({ error: 'Confirm it' }).min(1, 'Confirm it').max(1_000),
  /** An owner who is not the only one may mean the company, and not only the own login. */
  scope: z.enum(['person', 'company']).optional(),
  /** The supplier that an administrator means, instead of the own account. */
  companyId: idSchema.optional(),
})

export const keepAccountInput = z.object({ companyId: idSchema.optional() })

/** When it is deleted; null when it already is. */
export const deletionOutcomeSchema = z.object({ deletionAt: instantSchema.nullable() })
export type DeletionOutcome = z.infer<typeof deletionOutcomeSchema>
