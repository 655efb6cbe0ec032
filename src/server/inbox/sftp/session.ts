import type { Socket } from 'node:net'

import ssh, { type SFTPWrapper } from 'ssh2'

import type { Home } from '../messages'
import { createDropBox } from './drop-box'
import { createHandles } from './handles'
import { createPickUp } from './pick-up'
import { createReadTurns } from './read-turns'
import { answerRequests } from './requests'
import { toStatus, type Tree, type TreeContext } from './trees'

const { STATUS_CODE } = ssh.utils.sftp

type Options = Omit<TreeContext, 'pauseWhile'> & {
  home: Home
  socket: Socket
  /** The client has asked for something. */
  onRequest(): void
  /** The client breaks the rules. */
  onAbuse(): void
}

/** What of `ssh2` is not open: answers that wait for the window of the client, and what it reads. */
type Hidden = { _buffer: unknown[]; push(data: Buffer | null): void }

/** Answers the requests of a client that has signed in. */
export function serveSftp(sftp: SFTPWrapper, options: Options): { end(): void } {
  const { home, limits, socket, onRequest, onAbuse } = options
  const hidden = sftp as unknown as Hidden
  const context: TreeContext = { ...options, pauseWhile }
  const tree: Tree = home === 'drop-box' ? createDropBox(context) : createPickUp(context)
  const handles = createHandles(limits.handles)
  function unread(): number {
    const { _buffer: answers } = hidden
    return answers.length
  }
  /** What the client has not read yet, over the connection or of what its window allows. */
  const isUnread = () => socket.writableLength > limits.unreadBytes || unread() > 2
  const reads = createReadTurns(socket, isUnread)
  let pending = 0
  let hasEnded = false

  function pauseWhile(isBehind: boolean): void {
    if (isBehind) socket.pause()
    else if (socket.isPaused()) socket.resume()
  }
  function answer(id: number, act: () => Promise<(() => void) | void>): void {
    onRequest()
    pending += 1
    if (pending > limits.requests || unread() > limits.abandonedAnswers) return onAbuse()
    const send = (sending: () => void) => {
      pending -= 1
      if (!hasEnded) sending()
    }
    act().then(
      (sending) => send(sending ?? (() => sftp.status(id, STATUS_CODE.OK, 'Done'))),
      (error: unknown) =>
        send(() => {
          const { code, message } = toStatus(error)
          sftp.status(id, code, message)
        }),
    )
  }

  sftp.on('error', () => {
    // It would go on to read, and make room for a packet whose length it has just refused.
    hidden.push = () => undefined
    onAbuse()
  })
  const maxPathBytes = limits.pathBytes
  answerRequests(sftp, { tree, handles, reads, maxPathBytes, now: options.now, answer })

  return {
    end() {
      if (hasEnded) return
      hasEnded = true
      reads.end()
      handles.clear()
      tree.end()
    },
  }
}
