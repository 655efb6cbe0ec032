import { FileError } from '../../file-error'
import { inPieces } from '../../send/pieces'
import type { NetworkSender } from '../../send/send-file'
import type { SentBody } from '../../send/sending'
import type { ChildCommand, ChildLink, ChildWatch } from '../child-link'
import { fromFailure } from '../failure'
import { startOnUse } from '../started-on-use'
import { watchLife } from '../watch-life'
import { createHostSlots, type HostSlots } from './host-slots'
import { MESSAGE_LIMITS } from './messages'
import {
  type FromSender,
  fromSenderSchema,
  PIECE_BYTES,
  PIECES_AHEAD,
  type ToSender,
} from './messages-of-sending'

type SenderLink = ChildLink<ToSender | { type: 'ping' }, FromSender>

/** Beyond what it had before its first sending. */
const MAX_MEMORY_BYTES = 200 * 1024 * 1024

/** For each sending: what is on its way is told to be read a moment later than it is. */
const MAX_UNREAD_BYTES = 2 * PIECES_AHEAD * PIECE_BYTES

/** Sends files from a child process, which is started by the first of them, and anew after it has ended. */
export function createSenderProcess(command: ChildCommand, watch: ChildWatch): NetworkSender {
  const child = startOnUse(
    { command, watch },
    { schema: fromSenderSchema, limits: MESSAGE_LIMITS },
    createSender,
  )
  return {
    async send(request, body) {
      request.signal.throwIfAborted()
      return (await child.use()).send(request, body)
    },
    close: () => child.close(),
  }
}

/** A sending, as the parent sees it. */
interface Running {
  slots: HostSlots
  pump: Pump
  ended: PromiseWithResolvers<{ text: string }>
}

function createSender(link: SenderLink): NetworkSender {
  const sends = new Map<number, Running>()
  const life = watchLife(link, {
    maxMemoryBytes: MAX_MEMORY_BYTES,
    hasWork: () => sends.size > 0,
  })
  let lastId = 0

  /** Forgets a sending; undefined if it has ended before. */
  const end = (id: number) => {
    const running = sends.get(id)
    sends.delete(id)
    running?.slots.end()
    running?.pump.stop()
    return running?.ended
  }
  link.listen({
    onMessage(message) {
      if (message.type === 'pong') return life.note()
      const running = 'id' in message && sends.get(message.id)
      if (!running) return
      switch (message.type) {
        case 'enter':
          return running.slots.enter(message.slot, message.host)
        case 'leave':
          return running.slots.leave(message.slot)
        case 'wanted':
          // One that asks without reading would fill the memory of this process.
          if (link.unreadBytes() > (sends.size + 1) * MAX_UNREAD_BYTES) {
            throw new Error('Pieces are not read')
          }
          return running.pump.want()
        case 'sent':
          return end(message.id)?.resolve({ text: message.text })
        case 'failed':
          return end(message.id)?.reject(fromFailure(message.failure))
      }
    },
    onExit() {
      life.stop()
      for (const id of sends.keys()) end(id)?.reject(endedUnexpectedly())
    },
  })

  const send: NetworkSender['send'] = async ({ hosts, signal, ...request }, body) => {
    signal.throwIfAborted()
    if (!link.isAlive()) throw endedUnexpectedly()
    const id = ++lastId
    const giveUp = (reason: unknown) => {
      const ended = end(id)
      if (!ended) return
      link.send({ type: 'end', id })
      ended.reject(reason)
    }
    const running: Running = {
      slots: createHostSlots(hosts, (slot) => link.send({ type: 'entered', id, slot })),
      pump: createPump(body, {
        piece: (bytes) => link.send({ type: 'piece', id }, [bytes]),
        whole: () => link.send({ type: 'whole', id }),
        failed: giveUp,
      }),
      ended: Promise.withResolvers(),
    }
    const abort = () => giveUp(signal.reason)
    sends.set(id, running)
    signal.addEventListener('abort', abort, { once: true })
    link.send({ type: 'send', id, request })
    return running.ended.promise.finally(() => signal.removeEventListener('abort', abort))
  }

  return {
    send,
    async close() {
      life.stop()
      await link.end()
    },
  }
}

/** Passes a body on, one piece each time one is wanted. */
interface Pump {
  /** @throws Error when more is wanted than may be on its way */
  want(): void
  stop(): void
}

interface Outlet {
  piece: (bytes: Buffer) => void
  whole: () => void
  failed: (error: unknown) => void
}

/** @param body is called when the first piece is wanted */
function createPump(body: SentBody, { piece, whole, failed }: Outlet): Pump {
  let wanted = 0
  let isStopped = false
  let wake: (() => void) | undefined
  let isBegun = false

  async function pass(): Promise<void> {
    try {
      for await (const bytes of inPieces(body(), PIECE_BYTES)) {
        if (wanted === 0 && !isStopped) await new Promise<void>((resolve) => (wake = resolve))
        if (isStopped) return
        wanted--
        piece(bytes)
      }
      if (!isStopped) whole()
    } catch (error) {
      failed(error)
    }
  }
  return {
    want() {
      if (++wanted > PIECES_AHEAD) throw new Error('Too many pieces are wanted')
      wake?.()
      if (isBegun) return
      isBegun = true
      void pass()
    },
    stop() {
      isStopped = true
      wake?.()
    },
  }
}

function endedUnexpectedly(): FileError {
  return new FileError(
    'connection-lost',
    'Sending the file ended unexpectedly. It is tried again by itself.',
  )
}
