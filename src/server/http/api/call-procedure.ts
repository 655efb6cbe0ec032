import { callTRPCProcedure } from '@trpc/server'

import { definitionOf, type ProcedurePath } from '../../api/procedures'
import { appRouter } from '../../api/router'
import type { Context } from '../../trpc/init'

/** Calls a procedure for a request that is not one of tRPC, with the same checks and results. */
export function callProcedure(path: ProcedurePath, ctx: Context, input: unknown): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    type: definitionOf(path).type,
    ctx,
    getRawInput: async () => input,
    signal: undefined,
    batchIndex: 0,
  })
}
