import { setTimeout as sleep } from 'node:timers/promises'

import { SECOND_MS } from '../../../shared/durations'
import type { Deps } from '../../domain/deps'
import { whileOnlyReader } from '../../features/publication/mailed-files/mailbox-lease'
import { createMailPost } from './mail-post'
import type { MailAnswer, MailNews, MailOrder, MailQuestion } from './messages'

/** Another process of the product may have the port, until it ends. */
const PORT_AGAIN_MS = 5 * SECOND_MS

type Sent = MailOrder | MailAnswer | { type: 'done'; id: number }
export type MailOffice = ReturnType<typeof createMailOffice>

/** Has the inbox listen for mails and read the mailbox, as the settings say, and receives what comes. */
export function createMailOffice(
  deps: Deps,
  send: (message: Sent) => void,
  onListening: (port: number) => void,
) {
  const { config, logger } = deps
  const { smtpInbox, imap } = config
  const post = createMailPost(deps)
  const closing = new AbortController()
  const { signal } = closing
  let isToldOfPort = false
  let isListening = false
  const setListening = (isOpen: boolean) => {
    isListening = isOpen
    if (smtpInbox) deps.metrics.inboxListens('smtp', isOpen)
  }
  setListening(false)

  const listen = () => smtpInbox && send({ type: 'listen-smtp', settings: smtpInbox })
  async function readMailbox(settings: NonNullable<typeof imap>) {
    const place = JSON.stringify([settings.host, settings.port, settings.username, settings.folder])
    await whileOnlyReader(
      deps,
      place,
      async (leased) => {
        const lost = new Promise((resolve) =>
          leased.addEventListener('abort', resolve, { once: true }),
        )
        send({ type: 'watch-mailbox', settings })
        await lost
        send({ type: 'leave-mailbox' })
      },
      { signal },
    )
  }
  listen()
  const reading = imap ? readMailbox(imap) : Promise.resolve()

  function hear(news: Exclude<MailNews, { mail: number }>): void {
    switch (news.type) {
      case 'smtp-listening':
        isToldOfPort = false
        setListening(true)
        logger.info({ port: news.port }, 'Mails are taken at a port')
        return onListening(news.port)
      case 'smtp-failed':
        if (!isToldOfPort) logger.warn(describeFailure(news.code, smtpInbox?.port))
        isToldOfPort = true
        return void sleep(PORT_AGAIN_MS, undefined, { signal, ref: false }).then(
          listen,
          () => undefined,
        )
      case 'mailbox-read':
        return logger.info('The mailbox is read')
      case 'mailbox-failed':
        return logger.warn({ reason: news.text }, 'The mailbox cannot be read, it is tried again')
    }
  }

  return {
    take(message: MailQuestion | MailNews, bytes: readonly Buffer[]): void {
      if ('id' in message)
        void post.answer(message, bytes).then(send, (err: unknown) => refuse(err, message.id))
      else if ('mail' in message) post.take(message)
      else hear(message)
    },
    arriving: () => post.count(),
    isListening: () => isListening,
    /** Resolves once what has come whole is received. */
    async close(): Promise<void> {
      closing.abort()
      setListening(false)
      await Promise.all([post.close(), reading])
    },
  }

  function refuse(err: unknown, id: number): void {
    logger.error({ err }, 'Something that the inbox asked for failed')
    send({ type: 'mail-outcome', id, outcome: 'later', text: 'Something went wrong here' })
  }
}

function describeFailure(code: string, port = 0): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Mails wait: port ${port} is in use, perhaps by another process of the product. It is tried again every few seconds.`
    case 'EACCES':
      return `Mails cannot be taken at port ${port}, which needs privileges. Set SMTP_INBOX_PORT to one above 1023.`
    default:
      return `Mails cannot be taken (${code}). Check SMTP_INBOX_LISTEN, SMTP_INBOX_PORT and SMTP_INBOX_CERT.`
  }
}
