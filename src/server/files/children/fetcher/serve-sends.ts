import type { NetworkSender } from '../../send/send-file'
import { toFailure } from '../failure'
import { type FromSender, PIECES_AHEAD, type ToSender, toSenderSchema } from './messages-of-sending'
import { createRemoteHostGate, type RemoteHostGate } from './remote-host-gate'

/** A sending that has not ended. */
interface Running {
  abort(): void
  gate: RemoteHostGate
  body: ReceivedBody
}

/**
 * Has files sent for the parent.
 * @returns `take` is given each message first, and tells whether it was of a sending
 */
export function serveSends(
  sender: NetworkSender,
  send: (message: FromSender) => void,
): { take(line: unknown, bytes: readonly Buffer[]): boolean } {
  const sends = new Map<number, Running>()

  async function begin({ id, request }: ToSender & { type: 'send' }): Promise<void> {
    const aborting = new AbortController()
    const { signal } = aborting
    const gate = createRemoteHostGate((message) => send({ ...message, id }))
    const body = receiveBody(() => send({ type: 'wanted', id }))
    sends.set(id, { abort: () => aborting.abort(new Error('The sending was ended')), gate, body })
    try {
      const { text } = await sender.send({ ...request, hosts: gate, signal }, body.read)
      if (sends.delete(id)) send({ type: 'sent', id, text })
    } catch (error) {
      if (sends.delete(id)) send({ type: 'failed', id, failure: toFailure(error, signal) })
    }
  }

  return {
    take(line, bytes) {
      if (!TYPES.has((line as ToSender).type)) return false
      const { data: message } = toSenderSchema.safeParse(line)
      if (!message) throw new Error('A message of the parent is not valid')
      switch (message.type) {
        case 'send':
          void begin(message)
          return true
        case 'piece':
          sends.get(message.id)?.body.take(bytes)
          return true
        case 'whole':
          sends.get(message.id)?.body.end()
          return true
        case 'end': {
          const running = sends.get(message.id)
          running?.abort()
          return sends.delete(message.id)
        }
        case 'entered': {
          const running = sends.get(message.id)
          running?.gate.admit(message.slot)
          return running !== undefined
        }
      }
    },
  }
}

/** Of messages that are of sendings, or may be. */
const TYPES = new Set(['send', 'piece', 'whole', 'end', 'entered'])

interface ReceivedBody {
  read(): AsyncGenerator<Buffer>
  take(bytes: readonly Buffer[]): void
  end(): void
}

/** A body that is asked for when it is read, a few pieces ahead. */
function receiveBody(ask: () => void): ReceivedBody {
  const pieces: (readonly Buffer[])[] = []
  let isWhole = false
  let wake = Promise.withResolvers<void>()
  return {
    async *read() {
      for (let ahead = 0; ahead < PIECES_AHEAD; ahead++) ask()
      for (;;) {
        const piece = pieces.shift()
        if (piece) {
          yield* piece
          ask()
        } else if (isWhole) {
          return
        } else {
          wake = Promise.withResolvers()
          await wake.promise
        }
      }
    },
    take(bytes) {
      pieces.push(bytes)
      wake.resolve()
    },
    end() {
      isWhole = true
      wake.resolve()
    },
  }
}
