import { setTimeout as sleep } from 'node:timers/promises'

import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { openPickUp } from '../features/publication/inbox/pick-up'
import { MAX_OPEN, type Session, type Sessions, tooMany } from './desk-sessions'

/** Files are read on once the inbox has read what it was sent of them. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024
const READ_AGAIN_MS = 10

/**
 * The files that retailers fetch, by the numbers that the inbox gives them.
 * @param unreadBytes what was sent to the inbox, and is in the memory of this process until it has read it
 */
export function createOpenFiles(deps: Deps, sessions: Sessions, unreadBytes: () => number) {
  /** Whose they are. */
  const owners = new Map<number, Session>()

  function release(number: number): void {
    owners.get(number)?.files.delete(number)
    owners.delete(number)
  }

  return {
    /** @returns its size in bytes */
    async open(session: Session, number: number): Promise<number> {
      if (session.files.size >= MAX_OPEN || owners.has(number)) throw tooMany()
      if (session.home !== 'pick-up') throw new DomainError('NOT_FOUND', 'There is no such file.')
      const { guest, client, leaving, files } = session
      files.set(number, undefined)
      owners.set(number, session)
      try {
        const open = () => openPickUp(deps, guest, client, leaving.signal)
        const opened = await sessions.inTurn(session, open)
        files.set(number, opened)
        return opened.sizeBytes
      } catch (error) {
        release(number)
        throw error
      }
    },
    async read(number: number, at: number, length: number): Promise<Buffer> {
      const opened = owners.get(number)?.files.get(number)
      if (!opened) throw new DomainError('NOT_FOUND', 'This file is not open.')
      while (unreadBytes() > MAX_UNREAD_BYTES) await sleep(READ_AGAIN_MS)
      const bytes = await opened.read(at, length)
      if (at + bytes.length >= opened.sizeBytes) opened.noteRead()
      deps.metrics.sftpBytes('sent', bytes.length)
      return bytes
    },
    release,
  }
}
