import type { SendTestInput, TestResult } from '../../../../shared/schemas/system'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant } from '../../../domain/instant'
import { FileError } from '../../../files/file-error'
import { toMailBody } from '../../../mail/mail-body'
import { MailError } from '../../../mail/mailer'
import { createWebhookSecret, signWebhook } from '../../../secrets/webhook-signature'
import { recordAudit } from '../../people/audit/record-audit'

type Outcome = Pick<TestResult, 'isOk' | 'answer'>

/**
 * Sends something small with the settings in effect, and tells the answer as it was given. Recorded before it is
 * sent, by the host it is sent to, without the address of a person. Only for administrators.
 */
export async function sendTest(
  deps: Deps,
  actor: Actor,
  input: SendTestInput,
): Promise<TestResult> {
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, deps, {
      action: 'installation.send-test',
      subject: { name: describeTarget(input) },
    }),
  )
  const startedAt = performance.now()
  const outcome = await attempt(deps, actor, input)
  return { ...outcome, tookMs: Math.round(performance.now() - startedAt) }
}

function attempt(deps: Deps, actor: Actor, input: SendTestInput): Promise<Outcome> {
  switch (input.to) {
    case 'mail':
      return sendMail(deps, actor, input.address)
    case 'webhook':
      return callWebhook(deps, input.url)
    default:
      return deps.doctor.tryStore(deps, input.to)
  }
}

function describeTarget(input: SendTestInput): string {
  if (input.to === 'mail')
    return `a mail to ${input.address.slice(input.address.lastIndexOf('@') + 1)}`
  if (input.to === 'webhook') return `a request to ${new URL(input.url).host}`
  return input.to === 'files' ? 'a file to the store of files' : 'a file to the store of backups'
}

async function sendMail(deps: Deps, actor: Actor, to: string): Promise<Outcome> {
  if (!deps.mail)
    return { isOk: false, answer: 'No mail server is set: see SMTP_URL and MAIL_FROM' }
  const { appName } = deps.config
  const title = 'This is a test'
  const text = `${actor.username} has sent it from the System page of ${appName}. Mails of ${appName} arrive at this address.`
  try {
    const reply = await deps.mail.send({
      to,
      subject: `${appName}: ${title}`,
      ...toMailBody({ title, text, appName }),
    })
    return { isOk: true, answer: reply ?? 'The mail server took it' }
  } catch (error) {
    if (error instanceof MailError) return { isOk: false, answer: error.message }
    throw error
  }
}

const ANSWER_WITHIN_MS = 20_000

async function callWebhook(deps: Deps, url: string): Promise<Outcome> {
  const at = deps.clock.now()
  const message = { title: 'This is a test', text: 'Nothing has happened.' }
  const content = { type: 'test', timestamp: toInstant(at), data: { message } }
  const { body, headers } = signWebhook({ id: 'test', at, content }, createWebhookSecret())
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const { status } = await deps.posts.post({ url, headers, body, signal })
    return { isOk: status >= 200 && status < 300, answer: `It answered with status ${status}` }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { isOk: false, answer: withFetchAllowAdvice('SUPER_ADMIN', error.message, deps.config) }
  }
}
