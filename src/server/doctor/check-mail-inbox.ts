import { once } from 'node:events'
import { connect } from 'node:net'

import { DAY_MS } from '../../shared/durations'
import type { Config } from '../config'
import type { Deps } from '../domain/deps'
import { NOT_JUDGED } from '../features/publication/mailed-files/judge-mail'
import { hasMailOfReason } from '../features/publication/mailed-files/mails.queries'
import { tryMailbox } from '../inbox/mail/imap-mailbox'
import { isLoopback } from '../web-address'
import { ANSWER_WITHIN_MS, explain, type Finding } from './finding'

const PART = 'mail inbox'
const LATELY_MS = 7 * DAY_MS

/** Whether mails with files can come. Only told of where they have a domain. */
export async function checkMailInbox(deps: Deps): Promise<Finding[]> {
  const { config } = deps
  if (config.mailInboxDomain === null) return []
  const { smtpInbox, imap, mailInboxSecret } = config
  if (!smtpInbox && !imap && mailInboxSecret === undefined) {
    const text = `No mail for ${config.mailInboxDomain} can come: it has a domain, but no way in`
    const advice = 'Set SMTP_INBOX_PORT, IMAP_URL or MAIL_INBOX_SECRET.'
    return [{ part: PART, state: 'problem', text, advice }]
  }
  const findings = await Promise.all([
    smtpInbox ? checkPort(smtpInbox) : [],
    imap ? checkMailbox(imap) : [],
    checkSenders(deps),
  ])
  return [...findings.flat(), ...checkNetworks(config)]
}

async function checkPort({
  host,
  port,
  name,
}: NonNullable<Config['smtpInbox']>): Promise<Finding[]> {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const socket = connect(port, here)
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const [greeting] = (await once(socket, 'data', { signal })) as [Buffer]
    if (greeting.toString('latin1').startsWith(`220 ${name} `)) {
      const text = `port ${port} answers; whether the mail server of ${name} hands on to it cannot be seen from here`
      return [{ part: PART, state: 'ok', text }]
    }
    const advice = 'Set SMTP_INBOX_PORT to a port of its own.'
    return [{ part: PART, state: 'problem', text: `Port ${port} is of another program`, advice }]
  } catch (error) {
    const text = `Port ${port} does not answer here: ${explain(error)}`
    const advice =
      'Start the product, or npm run inbox. If that runs on another machine, or SMTP_INBOX_ALLOW leaves this one out, all may be well.'
    return [{ part: PART, state: 'warning', text, advice }]
  } finally {
    socket.destroy()
  }
}

/** Whoever reaches the port itself can write what the mail server in front would have found. */
function checkNetworks({ smtpInbox, mailAuthHost }: Config): Finding[] {
  const isOpen = smtpInbox && smtpInbox.networks.length === 0 && !isLoopback(smtpInbox.host)
  if (!isOpen || mailAuthHost === null) return []
  const text = `Port ${smtpInbox.port} takes mails from everybody, who can forge the results of ${mailAuthHost}`
  const advice = 'Set SMTP_INBOX_ALLOW to the networks of the mail server in front.'
  return [{ part: PART, state: 'warning', text, advice }]
}

async function checkMailbox(imap: NonNullable<Config['imap']>): Promise<Finding[]> {
  try {
    await tryMailbox(imap, AbortSignal.timeout(ANSWER_WITHIN_MS))
    return [{ part: PART, state: 'ok', text: `${imap.folder} at ${imap.host} can be read` }]
  } catch (error) {
    const text = `The mailbox at ${imap.host} cannot be read: ${(error as Error).message}`
    return [{ part: PART, state: 'problem', text, advice: 'Correct IMAP_URL and its settings.' }]
  }
}

async function checkSenders({ config, db, clock }: Deps): Promise<Finding[]> {
  if (config.mailAuthHost === null) {
    const text = 'MAIL_AUTH_HOST is not set: whom a mail is from is believed as it says'
    const advice = 'Set it to the host whose Authentication-Results the mail server adds.'
    return [{ part: PART, state: 'warning', text, advice }]
  }
  if (!(await hasMailOfReason(db, NOT_JUDGED, clock.now() - LATELY_MS))) return []
  const text = `Mails of the last week have no result of ${config.mailAuthHost}, so that they wait`
  const advice = 'Correct MAIL_AUTH_HOST, or have the mail server check DMARC.'
  return [{ part: PART, state: 'warning', text, advice }]
}
