import { createTransport } from 'nodemailer'

import type { Config } from '../../config'
import { allowSenders, createMailInbox } from '../../features/publication/mailed-files/mail-inboxes'
import { listMails } from '../../features/publication/mailed-files/mails'
import { openInbox } from '../../inbox/inbox-process'
import { findFreePort } from '../servers/free-port'
import { openByHandStage } from './by-hand-stage'

/** The sender whose mails are taken. */
export const MAIL_SENDER = 'stock@acme.example'

/** Sends a message as it is to a port of this machine, and returns what it was answered. */
export async function sendRaw(
  port: number,
  { raw, ...envelope }: { from: string; to: string; raw: Buffer },
): Promise<string> {
  const mailer = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    return (await mailer.sendMail({ envelope, raw })).response
  } catch (error) {
    const { response, message } = error as Error & { response?: string }
    return response ?? message
  } finally {
    mailer.close()
  }
}

export type MailStage = Awaited<ReturnType<typeof openMailStage>>

/** A supplier with an address for mails, and the inbox as a process, which takes them at a port. */
export async function openMailStage(overrides: Partial<Config> = {}) {
  const port = await findFreePort()
  const name = 'in.example.com'
  const smtpInbox = { host: '127.0.0.1', port, name, networks: [], certificate: null }
  const stage = await openByHandStage({}, { mailInboxDomain: name, smtpInbox, ...overrides })
  const { deps, supplier, id } = stage
  const { address } = await createMailInbox(deps, supplier, id)
  await allowSenders(deps, supplier, { id, allowedSenders: [MAIL_SENDER] })
  const inbox = openInbox(deps)!
  if (deps.config.smtpInbox) await inbox.takesMails
  return {
    ...stage,
    port,
    address,
    /** Sends a mail, and returns what it was answered. */
    mail: (raw: Buffer, to = address) => sendRaw(port, { from: MAIL_SENDER, to, raw }),
    /** What has become of the mails, the newest first. */
    mailStates: async () => (await listMails(deps, supplier, id)).map(({ state }) => state),
    /** Ends the process that has the sockets, as a crash would; it is started again. */
    killInbox() {
      const pid = inbox.pid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
    async close() {
      await inbox.close()
      await stage.close()
    },
  }
}
