import type { Deps } from '../../../domain/deps'
import { FileError, type FileErrorCode } from '../../../files/file-error'
import { openAddress } from '../../../secrets/sealed-address'
import { SealError } from '../../../secrets/secret-box'
import {
  signWebhook,
  webhookAddressOwner,
  webhookSecretPlace,
} from '../../../secrets/webhook-signature'
import { findWebhookMessage } from './outgoing.queries'
import type { Answer, Message } from './send-messages'
import { toWebhookEvent } from './webhook-event'

/** A receiver that takes longer to answer gets its next request apart from others. */
const SLOW_MS = 2_000
const TIMEOUTS = new Set<FileErrorCode>(['answer-timeout', 'connect-timeout'])

/** Posts an event to a webhook, signed; any answer of 2xx is taken as received. */
export async function sendWebhook(
  deps: Deps,
  { eventId, webhookId }: Message,
  signal: AbortSignal,
): Promise<Answer> {
  const of = { eventId, webhookId: webhookId ?? 0 }
  const found = await findWebhookMessage(deps.db, of)
  if (!found) return { isDelivered: false, isFinal: true, text: 'The webhook is gone' }
  const { url: shown, sealedUrl, sealedSecret, userId, ...event } = found
  try {
    const stored = { url: shown, sealedUrl }
    const url = openAddress(deps.secrets, stored, webhookAddressOwner(userId))
    const secret = deps.secrets.open(sealedSecret, webhookSecretPlace(userId))
    const message = {
      id: `event_${eventId}`,
      at: deps.clock.now(),
      content: toWebhookEvent({ id: eventId, ...event }),
    }
    const { body, headers } = signWebhook(message, secret)
    const { status, tookMs } = await deps.posts.post({ url, headers, body, signal })
    const isDelivered = status >= 200 && status < 300
    return { isDelivered, text: `Answered ${status}`, receiver: { isSlow: tookMs > SLOW_MS } }
  } catch (error) {
    if (error instanceof FileError) {
      const { code: errorCode, message: text } = error
      return { isDelivered: false, text, receiver: { isSlow: TIMEOUTS.has(errorCode), errorCode } }
    }
    if (error instanceof SealError) {
      const text = 'Its address or secret cannot be read: delete the webhook and add it again'
      return { isDelivered: false, isFinal: true, text }
    }
    throw error
  }
}
