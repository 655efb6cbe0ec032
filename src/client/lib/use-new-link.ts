import { useState } from 'react'

import { showFailure, showSuccess } from './toast'

/** What an address or a link that works without signing in is called: one, several, and in short. */
export interface LinkName {
  one: string
  several: string
  short: string
}

/**
 * What follows when a link has been created or revoked: its path is known as a whole only until then.
 * @param refresh reads the links again
 */
export function useNewLink({ one, short }: LinkName, refresh: () => Promise<unknown>) {
  const [newPath, setNewPath] = useState<string>()
  return {
    newPath,
    creating: {
      async onSuccess({ path }: { path: string }) {
        await refresh()
        setNewPath(path)
      },
      onError: (error: unknown) => showFailure(error, `The ${short} could not be created`),
    },
    revoking: {
      async onSuccess() {
        setNewPath(undefined)
        await refresh()
        showSuccess(`${one} revoked`)
      },
      onError: (error: unknown) => showFailure(error, `The ${short} could not be revoked`),
    },
  }
}
