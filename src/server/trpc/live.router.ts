import { listen } from '../domain/live'
import { router, signedInProcedure } from './init'

export const liveRouter = router({
  /** What the caller may see of what changes by itself; see `LiveItem`. */
  changes: signedInProcedure.subscription(({ ctx, signal }) =>
    listen(ctx.deps, { actor: ctx.actor, sessionHash: ctx.session.idHash, signal }),
  ),
})
