import type { TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable, type Unsubscribable } from '@trpc/server/observable'

import { needsConfirmation } from '../lib/error-message'
import { askForConfirmation } from './confirmation'

/** Has the user confirm who is there before a call that needs it, and then makes that call again. */
export function confirmingLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let isOver = false
        let call: Unsubscribable = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (needsConfirmation(error)) void confirm(error)
            else observer.error(error)
          },
        })
        async function confirm(error: Parameters<typeof observer.error>[0]) {
          const isConfirmed = await askForConfirmation()
          if (isOver) return
          if (isConfirmed) call = next(op).subscribe(observer)
          else observer.error(error)
        }
        return () => {
          isOver = true
          call.unsubscribe()
        }
      })
}
