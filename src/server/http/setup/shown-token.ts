import { TRPCError } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

import type { ShownToken } from '../../features/people/accounts/set-up'
import { readClientAddress } from '../sessions/client-address'

/** What a caller of the set-up shows, beside what it has to be. */
export const toShown = (token: string, given: string, request: FastifyRequest): ShownToken => ({
  token,
  given,
  address: readClientAddress(request),
})

/** @throws TRPCError, of which the first problem is told, as of any other call */
export function parseSetup<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
}
