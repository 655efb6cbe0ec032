import { DomainError } from '../../../domain/errors'

export type PreviewTurns = ReturnType<typeof createPreviewTurns>

const REPLACED = 'This preview was cancelled because you opened another one.'

/** Allows each user one preview at a time: the latest. */
export function createPreviewTurns() {
  const latest = new Map<number, { replaced: AbortController; settled: Promise<unknown> }>()
  return {
    /**
     * Cancels the user's preview in progress, waits until it has ended, and runs `work`.
     * @param work must stop when its signal is aborted
     * @throws DomainError CONFLICT when a later preview of the user has replaced this one
     */
    async take<T>(userId: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const before = latest.get(userId)
      before?.replaced.abort(new DomainError('CONFLICT', REPLACED))
      const replaced = new AbortController()
      const { signal } = replaced
      const done = (before?.settled ?? Promise.resolve()).then(() => {
        signal.throwIfAborted()
        return work(signal)
      })
      const turn = { replaced, settled: done.catch(() => undefined) }
      latest.set(userId, turn)
      try {
        return await done
      } catch (error) {
        throw signal.aborted ? signal.reason : error
      } finally {
        if (latest.get(userId) === turn) latest.delete(userId)
      }
    },
  }
}
