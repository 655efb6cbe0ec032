import type { Socket } from 'node:net'

/**
 * Reads, one after the other, each only once the client has read the answers to those before.
 * @param isUnread whether it has not
 */
export function createReadTurns(socket: Socket, isUnread: () => boolean) {
  const reads: (() => Promise<void>)[] = []
  let isReading = false

  async function readOn(): Promise<void> {
    if (isReading) return
    isReading = true
    while (reads.length > 0 && !isUnread()) await reads.shift()?.()
    isReading = false
  }
  const onDrain = () => void readOn()
  // Its window grows by what it sends, of which ssh2 learns first.
  const onData = () => reads.length > 0 && setImmediate(onDrain)
  socket.on('drain', onDrain).on('data', onData)

  return {
    /** Reads when it is the turn of this read; the answer is sent before the next. */
    inTurn<T>(read: () => Promise<T>): Promise<T> {
      const turn = Promise.withResolvers<T>()
      reads.push(async () => {
        await read().then(turn.resolve, turn.reject)
        // The answer.
        await Promise.resolve()
        await Promise.resolve()
      })
      void readOn()
      return turn.promise
    },
    end(): void {
      socket.off('drain', onDrain).off('data', onData)
      reads.length = 0
    },
  }
}
