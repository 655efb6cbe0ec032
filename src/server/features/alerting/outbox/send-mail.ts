import { alertPath, describeAlert } from '../../../../shared/alert-text'
import type { Role } from '../../../../shared/constants'
import type { Deps } from '../../../domain/deps'
import { toMailBody, productUrl } from '../../../mail/mail-body'
import { MailError } from '../../../mail/mailer'
import { digestSections, digestTitle } from '../digests/digest-text'
import { findMailMessage } from './outgoing.queries'
import type { Answer, Message, Sending } from './send-messages'
import { createUnsubscribeToken } from './unsubscribe-token'

/** Sends an event to the address that its recipient has confirmed. */
async function sendMail(deps: Deps, { eventId, userId }: Message): Promise<Answer> {
  const found = await findMailMessage(deps.db, { eventId, userId })
  if (!deps.mail || !found?.address) {
    return { isDelivered: false, isFinal: true, text: 'There is no confirmed address any more' }
  }
  const { address, role, isWanted, digestPeriod, ...event } = found
  if (isWanted === false || (event.kind === 'digest' && digestPeriod === null)) {
    return { isDelivered: false, isFinal: true, text: 'Its recipient does not want it any more' }
  }
  const preferencesUrl = productUrl(deps, '/alerts')
  const token = createUnsubscribeToken(deps, { userId, address })
  const unsubscribeUrl = productUrl(deps, `/unsubscribe/${token}`)
  const { title, ...content } = toContent(deps, event, role)
  const { appName } = deps.config
  try {
    await deps.mail.send({
      to: address,
      subject: `${appName}: ${title}`.slice(0, 200),
      ...toMailBody({ title, ...content, appName, preferencesUrl, unsubscribeUrl }),
      messageId: `<event-${eventId}.${userId}@${new URL(preferencesUrl).hostname}>`,
      unsubscribeUrl,
    })
    return { isDelivered: true, text: 'Taken by the mail server' }
  } catch (error) {
    if (error instanceof MailError) return { isDelivered: false, text: error.message }
    throw error
  }
}

type Told = Omit<NonNullable<Awaited<ReturnType<typeof findMailMessage>>>, 'address' | 'isWanted'>

function toContent(
  deps: Deps,
  event: Pick<Told, 'kind' | 'details' | 'supplierId' | 'connectionId' | 'retailerId'>,
  role: Role,
) {
  const { digest } = event.details
  if (digest) {
    const sections = digestSections(digest, (path) => productUrl(deps, path))
    return { title: digestTitle(digest), text: '', sections }
  }
  return { ...describeAlert(event, role), link: productUrl(deps, alertPath(role, event)) }
}

export const mailSending: Sending = { channel: 'mail', send: sendMail }
