import { DomainError } from '../../domain/errors'

/** Lets each user have one preview at a time: the latest. */
export type PreviewTurns = {
  /**
   * Ends the user's preview that is under way, waits for its end, and takes its place.
   * @param work is to stop when its signal fires
   * @throws DomainError CONFLICT when another preview has taken the place
   */
  take<T>(userId: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

const REPLACED = 'You have opened another preview, which has ended this one.'

export function createPreviewTurns(): PreviewTurns {
  const latest = new Map<number, { replaced: AbortController; settled: Promise<unknown> }>()
  return {
    async take(userId, work) {
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
