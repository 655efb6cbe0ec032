import { type MessageLimits, receiveMessages, sendMessage } from './lines'
import { takeOwnUser } from './own-user'

/**
 * Connects this process with its parent: messages arrive on standard input and leave on standard output, one
 * line of JSON each; standard error has errors. The process ends with its parent.
 * @returns sends a message
 */
export function serveParent(
  limits: MessageLimits,
  onMessage: (message: unknown, bytes: readonly Buffer[]) => void,
): (message: object, bytes?: readonly Uint8Array[]) => void {
  takeOwnUser()
  const send = (message: object, bytes?: readonly Uint8Array[]) =>
    sendMessage(process.stdout, message, bytes)
  // A terminal also sends these signals to the parent, which ends this process when its work is done.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)
  receiveMessages(process.stdin, limits, onMessage, () => process.exit(1))
  process.stdin.once('end', () => process.exit(0))
  send({ type: 'ready' })
  return send
}
