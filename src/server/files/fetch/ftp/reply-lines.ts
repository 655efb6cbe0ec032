import type { FTPContext } from 'basic-ftp'

import { FileError } from '../../file-error'

/** In characters: of all that a server says between two commands. */
const MAX_REPLY_LENGTH = 32 * 1024

const REPLY = /^\d{3}(?:[ \r\n-]|$)/

/**
 * Passes on what a server says line by line, since `basic-ftp` takes the beginning of a line for all of it; ends the
 * connection if it is not FTP, or without end.
 * @returns to be called before each command
 */
export function passWholeLines(ftp: FTPContext): () => void {
  const { socket } = ftp
  const listeners = socket.listeners('data') as ((text: string) => void)[]
  let held = ''
  let length = 0
  let isFirst = true
  socket.removeAllListeners('data')
  socket.on('data', (text: string) => {
    length += text.length
    if (length > MAX_REPLY_LENGTH) return ftp.closeWithError(endless())
    held += text
    const end = held.lastIndexOf('\n') + 1
    if (end === 0) return
    const lines = held.slice(0, end)
    held = held.slice(end)
    if (isFirst && !REPLY.test(lines)) return ftp.closeWithError(notFtp())
    isFirst = false
    for (const pass of listeners) pass(lines)
  })
  return () => (length = 0)
}

function endless(): FileError {
  return new FileError('bad-answer', 'The server answers without end.')
}

function notFtp(): FileError {
  return new FileError(
    'bad-answer',
    'The server did not respond with FTP. Check the port of the address.',
  )
}
