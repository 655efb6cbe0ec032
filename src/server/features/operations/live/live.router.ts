import { router, signedInProcedure } from '../../../trpc/init'
import { listen } from './live'

export const liveRouter = router({
  /** Streams the changes that the caller may see; see `LiveItem`. */
  changes: signedInProcedure.subscription(({ ctx, signal }) =>
    listen(ctx.deps, { actor: ctx.actor, sessionHash: ctx.session.idHash, signal }),
  ),
})
