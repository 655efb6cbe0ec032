import { codeOf } from '../../process/error-code'
import type { Parent } from '../parent'
import { watchMailbox } from './imap-mailbox'
import type { MailOrder } from './messages'
import { createRemoteMailDesk } from './remote-mail-desk'
import { startSmtpListener, type SmtpListener } from './smtp-listener'

/** All by which mails reach this process: what it listens on, and the mailbox that it reads. */
export function createMailSockets(parent: Parent) {
  const desk = createRemoteMailDesk(parent)
  let smtp: Promise<SmtpListener | undefined> | undefined
  let mailbox: AbortController | undefined

  async function listen({ settings }: MailOrder & { type: 'listen-smtp' }) {
    try {
      const listener = await startSmtpListener(settings, desk)
      parent.tell({ type: 'smtp-listening', port: listener.port })
      return listener
    } catch (error) {
      parent.tell({ type: 'smtp-failed', code: codeOf(error) || 'UNKNOWN' })
      smtp = undefined
      return undefined
    }
  }
  function watch({ settings }: MailOrder & { type: 'watch-mailbox' }) {
    mailbox?.abort()
    mailbox = new AbortController()
    const { signal } = mailbox
    void watchMailbox({
      settings,
      desk,
      signal,
      onState: (state) =>
        parent.tell(
          state.kind === 'connected'
            ? { type: 'mailbox-read' }
            : { type: 'mailbox-failed', text: state.text },
        ),
    })
  }
  return {
    obey(order: MailOrder): void {
      switch (order.type) {
        case 'listen-smtp':
          smtp ??= listen(order)
          return
        case 'watch-mailbox':
          return watch(order)
        case 'leave-mailbox':
          return mailbox?.abort()
      }
    },
    async close(): Promise<void> {
      mailbox?.abort()
      const listener = await smtp
      listener?.drain()
    },
  }
}
