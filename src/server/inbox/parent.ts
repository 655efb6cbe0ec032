import { serveParent } from '../files/children/serve-parent'
import {
  type FromInbox,
  MESSAGE_LIMITS,
  type Refusal,
  type ToInbox,
  toInboxSchema,
} from './messages'

/** Something is not done; the message is for whoever has asked. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

/** What is asked of the parent, and answered. */
type Question = Extract<FromInbox, { id: number }>
type Answer = Exclude<Extract<ToInbox, { id: number }>, { type: 'refused' }>
/** A question without the number that it is given. */
type Asked = Question extends infer One
  ? One extends { id: number }
    ? Omit<One, 'id'>
    : never
  : never

export interface Parent {
  /** @throws Refused */
  ask(
    question: Asked,
    bytes?: readonly Uint8Array[],
  ): Promise<{ answer: Answer; bytes: readonly Buffer[] }>
  tell(message: FromInbox): void
}

/** Connects this process with its parent, which knows who may do what and has all files. */
export function connectParent(
  onOrder: (message: Exclude<ToInbox, { id: number }>) => void,
): Parent {
  const waiting = new Map<
    number,
    PromiseWithResolvers<{ answer: Answer; bytes: readonly Buffer[] }>
  >()
  let lastId = 0
  const send = serveParent(MESSAGE_LIMITS, (line, bytes) => {
    const message = toInboxSchema.parse(line)
    if (!('id' in message)) return onOrder(message)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'refused') asked?.reject(new Refused(message.refusal, message.message))
    else asked?.resolve({ answer: message, bytes })
  })
  return {
    ask(question, bytes) {
      const id = ++lastId
      const asked = Promise.withResolvers<{ answer: Answer; bytes: readonly Buffer[] }>()
      waiting.set(id, asked)
      send({ ...question, id }, bytes)
      return asked.promise
    },
    tell: (message) => send(message),
  }
}
