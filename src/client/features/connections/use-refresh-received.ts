import { trpc } from '../../trpc'

/** Reads again what a file that was just sent has changed. */
export function useRefreshReceived(connectionId: number): () => Promise<void> {
  const { receivedFiles, connections } = trpc.useUtils()
  return async () => {
    await Promise.all([
      receivedFiles.list.invalidate({ id: connectionId }),
      connections.list.invalidate(),
    ])
  }
}
