import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations'

/** The pauses between attempts; after the last attempt the message has failed. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
] as const

/** How long the receiver of a webhook may take to answer. */
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND_MS

const pauses = RETRY_PAUSES_MS.map((pause) => describePause(pause))

/** What the author of a receiver must know. Code in the texts is in backticks. */
export const WEBHOOK_RULES: readonly { term: string; text: string }[] = [
  {
    term: 'Request',
    text: 'A POST to the address of the webhook, with the event as JSON. Redirects are not followed.',
  },
  {
    term: 'Headers',
    text:
      'As in Standard Webhooks: `webhook-id` names the event, `webhook-timestamp` has the time of this ' +
      'attempt in Unix seconds, and `webhook-signature` is `v1,` with the signature in base64.',
  },
  {
    term: 'Signature',
    text:
      'HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the body as received. The key is what ' +
      'follows `whsec_` in the secret of the webhook, decoded from base64. Refuse times that differ by ' +
      'more than five minutes from yours. Libraries of Standard Webhooks do both.',
  },
  {
    term: 'Answer',
    text: `Any status of 2xx within ${describePause(WEBHOOK_TIMEOUT_MS)}. Its body is not read: answer first, then work.`,
  },
  {
    term: 'Retries',
    text:
      `After any other answer, or none, it is sent again after ${pauses.slice(0, -1).join(', ')} and ` +
      `${pauses.at(-1)}, with the same id and body, then given up. You can send it again by hand. A webhook ` +
      'that has failed for a day is switched off.',
  },
  {
    term: 'Order',
    text:
      'One request at a time, in the order of the events; while one waits for its next attempt, later ones ' +
      'are sent. An event can come twice: take each `webhook-id` once.',
  },
  {
    term: 'Changes',
    text: 'Later versions may have more types and fields: ignore those that you do not know.',
  },
]

/** A whole number of hours, minutes or seconds. */
function describePause(ms: number): string {
  if (ms >= HOUR_MS) return `${ms / HOUR_MS} h`
  return ms >= MINUTE_MS ? `${ms / MINUTE_MS} min` : `${ms / SECOND_MS} s`
}
