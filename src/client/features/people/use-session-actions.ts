import { useState } from 'react'

import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Ends sessions: the caller's own or, for administrators, those of a person. */
export function useSessionActions(personId: number | undefined) {
  const utils = trpc.useUtils()
  const [isAskingAll, setAskingAll] = useState(false)
  const options = (failure: string) => ({
    onSuccess: async ({ message }: { message: string }) => {
      setAskingAll(false)
      await utils.sessions.invalidate()
      void utils.people.list.invalidate()
      showSuccess(message)
    },
    // It may have ended meanwhile.
    onError: (error: unknown) => {
      void utils.sessions.invalidate()
      showFailure(error, failure)
    },
  })
  const end = trpc.sessions.end.useMutation(options('The session could not be ended'))
  const endOthers = trpc.sessions.endOthers.useMutation(options('The sessions could not be ended'))
  return {
    isAskingAll,
    askAll: () => setAskingAll(true),
    dismissAll: () => setAskingAll(false),
    endAll: () => endOthers.mutate({ personId }),
    isEndingAll: endOthers.isPending,
    end: (id: string) => end.mutate({ session: id, personId }),
    endingId: end.isPending ? end.variables.session : undefined,
  }
}
