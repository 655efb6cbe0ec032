import { setTimeout as sleep } from 'node:timers/promises'

import { SECOND_MS } from '../../shared/durations'
import type { Config } from '../config'
import { readChanges } from '../db/change-topics'
import type { Deps } from '../domain/deps'
import { toInboxCommand } from '../files/children/child-command'
import { startChild, watchChild, type ChildLink } from '../files/children/child-link'
import { createOrphanGuard, type OrphanGuard } from '../files/children/orphan-guard'
import { watchLife } from '../files/children/watch-life'
import { readSftpHostKeys } from '../secrets/sftp-host-keys'
import { createDesk, type Desk } from './desk'
import { createMailOffice, type MailOffice } from './mail/mail-office'
import { isOfMails } from './mail/messages'
import { type FromInbox, fromInboxSchema, MESSAGE_LIMITS, type ToInbox } from './messages'

/** An inbox that has crashed is started again after this time, each time longer. */
const RESTART_MS = { first: SECOND_MS, longest: 30 * SECOND_MS }
/** One that has run for so long begins with the short pause again. */
const STEADY_MS = 60 * SECOND_MS
/** Another process of the product may have the port, until it ends. */
const PORT_AGAIN_MS = 5 * SECOND_MS
/** Beyond what it had at its start: for 2,000 connections, and what is on its way. */
const MAX_MEMORY_BYTES = 400 * 1024 * 1024
/** Answers that it has not read, of which the largest wait before that. */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024
/** How often sessions of logins that have ended are looked for. */
const REVIEW_EVERY_MS = SECOND_MS / 2
/** Uploads that are nearly complete at a stop may end. */
const STOP_WITHIN_MS = 5 * SECOND_MS

type Link = ChildLink<ToInbox, FromInbox>

/** Whether there is a way in: open now, or not, but tried again. */
type Way = 'listening' | 'waiting'
/** The ways in that are set. */
export type InboxState = { sftp?: Way; smtp?: Way }

export interface RunningInbox {
  /** The port of SFTP, once it listens. */
  listening: Promise<number>
  /** The port for mails, once it listens. */
  takesMails: Promise<number>
  /** The process that listens now; undefined between two. */
  pid(): number | undefined
  state(): InboxState
  /** Accepts no more, lets what is nearly done end, and resolves when the process has exited. */
  close(): Promise<void>
}

/** Starts the inbox if there is anything for it to do. */
export const openInbox = (deps: Deps): RunningInbox | undefined =>
  hasInbox(deps.config) ? startInbox(deps, deps.config.sftp) : undefined

/** Whether anything is set that comes over the inbox. */
export const hasInbox = ({ sftp, smtpInbox, imap }: Config): boolean =>
  (sftp ?? smtpInbox ?? imap) !== null

/** Starts the inbox, and starts it again whenever it ends. */
function startInbox(deps: Deps, sftp: Config['sftp']): RunningInbox {
  const { logger } = deps
  const orphanGuard = createOrphanGuard()
  const closing = new AbortController()
  const listening = Promise.withResolvers<number>()
  const takesMails = Promise.withResolvers<number>()
  let running: { link: Link; desk: Desk; mails: MailOffice } | undefined
  let isToldOfPort = false
  let isListening = false
  let port = sftp?.port ?? 0
  const setListening = (isOpen: boolean) => {
    isListening = isOpen
    if (sftp) deps.metrics.inboxListens('sftp', isOpen)
  }
  setListening(false)

  async function runOnce(): Promise<void> {
    const keys = sftp ? await readSftpHostKeys(sftp) : []
    const hostKeys = keys.map(({ privateKey }) => privateKey)
    const command = toInboxCommand(deps.config.childEnvironment)
    const link: Link = await startChild(command, fromInboxSchema, MESSAGE_LIMITS)
    const exited = watchExit(link, orphanGuard, deps)
    // While it started, nobody could end it.
    if (closing.signal.aborted) return link.end()
    const send = (message: ToInbox, bytes?: readonly Uint8Array[]) => {
      if (!link.isAlive()) return
      link.send(message, bytes)
      if (link.unreadBytes() <= MAX_UNREAD_BYTES) return
      logger.warn('The inbox does not read its answers, and is ended')
      link.kill()
    }
    const desk = createDesk(deps, send, link.unreadBytes)
    const mails = createMailOffice(deps, send, takesMails.resolve)
    const life = watchLife(link, {
      maxMemoryBytes: MAX_MEMORY_BYTES,
      hasWork: link.isAlive,
      onKill: (why) => logger.warn(why, 'The inbox is ended'),
    })
    const listen = () => {
      if (sftp) send({ type: 'listen', host: sftp.listenHost, port, hostKeys })
    }
    link.listen({
      onMessage(message, bytes) {
        switch (message.type) {
          case 'pong':
            life.note()
            return deps.metrics.sftpConnections(message)
          case 'listening':
            logger.info({ port: message.port }, 'SFTP is ready')
            isToldOfPort = false
            setListening(true)
            // Whatever it is, it stays.
            port = message.port
            return listening.resolve(message.port)
          case 'not-listening': {
            if (!isToldOfPort) logger.warn(describeFailure(message.code, port))
            isToldOfPort = true
            return void sleep(PORT_AGAIN_MS, undefined, {
              signal: closing.signal,
              ref: false,
            }).then(listen, () => undefined)
          }
          default:
            if (isOfMails(message)) mails.take(message, bytes)
            else desk.take(message, bytes)
        }
      },
      onExit: () => undefined,
    })
    running = { link, desk, mails }
    const review = startReview(deps, desk)
    listen()
    await exited
    review.stop()
    life.stop()
    running = undefined
    setListening(false)
    deps.metrics.sftpConnections({ connections: 0, turnedAway: 0 })
    await Promise.all([desk.close(), mails.close()])
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = RESTART_MS.first
    while (!closing.signal.aborted) {
      const startedAt = performance.now()
      await runOnce().catch((err: unknown) => logger.error({ err }, 'The inbox cannot be started'))
      if (closing.signal.aborted) return
      if (performance.now() - startedAt > STEADY_MS) pauseMs = RESTART_MS.first
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, RESTART_MS.longest)
    }
  }
  const ended = keepRunning()

  return {
    listening: listening.promise,
    takesMails: takesMails.promise,
    pid: () => running?.link.pid,
    state: () => ({
      ...(sftp && { sftp: toWay(isListening) }),
      ...(deps.config.smtpInbox && { smtp: toWay(running?.mails.isListening() ?? false) }),
    }),
    async close() {
      closing.abort()
      const { link, desk, mails } = running ?? {}
      if (link?.isAlive()) {
        link.send({ type: 'close' })
        const until = performance.now() + STOP_WITHIN_MS
        await desk?.quiet(STOP_WITHIN_MS)
        while ((mails?.arriving() ?? 0) > 0 && performance.now() < until) await sleep(100)
        await link.end()
      }
      await ended
      orphanGuard.close()
    },
  }
}

const toWay = (isListening: boolean): Way => (isListening ? 'listening' : 'waiting')

async function watchExit(link: Link, orphanGuard: OrphanGuard, { logger }: Deps): Promise<void> {
  const onUnexpectedExit = (exit: object) => logger.warn(exit, 'The inbox exited unexpectedly')
  await watchChild(link, { orphanGuard, onUnexpectedExit })
}

/** Ends sessions soon after their login was changed, by whichever process. */
function startReview(deps: Deps, desk: Desk) {
  let mark: string | undefined
  let isRunning = false
  const review = async () => {
    if (isRunning) return
    isRunning = true
    try {
      if (desk.sessions() === 0) {
        mark = undefined
        return
      }
      const isFirst = mark === undefined
      const { mark: newest, topics } = await readChanges(deps.db, mark)
      mark = newest
      await desk.review(isFirst || topics === 'all' ? 'all' : new Set(topics))
    } catch (err) {
      deps.logger.debug({ err }, 'Logins could not be looked at')
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void review(), REVIEW_EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

function describeFailure(code: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `SFTP waits: port ${port} is in use, perhaps by another process of the product. It is tried again every few seconds.`
    case 'EACCES':
      return `SFTP cannot use port ${port}, which needs privileges. Set SFTP_PORT to one above 1023.`
    default:
      return `SFTP cannot listen (${code}). Check SFTP_LISTEN and SFTP_PORT.`
  }
}
