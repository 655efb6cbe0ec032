import { router, signedInProcedure } from '../../trpc/init'
import { listen } from './live'

export const liveRouter = router({
  /** What the caller may see of what changes by itself; see `LiveItem`. */
  changes: signedInProcedure.subscription(({ ctx, signal }) =>
    listen(ctx.deps, { actor: ctx.actor, sessionHash: ctx.session.idHash, signal }),
  ),
})
