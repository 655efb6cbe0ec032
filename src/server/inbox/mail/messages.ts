import { z } from 'zod'

import { MAIL_OUTCOMES, MAIL_SOCKETS } from './mail-desk'
import { imapSettingsSchema, smtpSettingsSchema } from './settings'

/** Of a mail, whose header may name many. */
const MAX_RECIPIENTS = 50
const MAX_ADDRESS_LENGTH = 254
/** The most bytes of a mail in one message. */
export const MAIL_PIECE_BYTES = 256 * 1024

const id = z.number().int().nonnegative()
const address = z.string().min(1).max(MAX_ADDRESS_LENGTH)
const text = z.string().max(2_000)

/** What the inbox asks its parent about mails, which it numbers. */
export const mailQuestionSchemas = [
  z.object({
    type: z.literal('find-recipient'),
    id,
    addresses: z.array(address).max(MAX_RECIPIENTS),
  }),
  /** The next bytes of a mail follow. Answered when they have been taken, or with what has become of the mail. */
  z.object({ type: z.literal('mail-piece'), id, mail: id, bytes: id.optional() }),
  /** All of a mail has come. */
  z.object({ type: z.literal('mail-end'), id, mail: id }),
] as const

/** What it tells. */
export const mailNewsSchemas = [
  z.object({
    type: z.literal('mail-begin'),
    mail: id,
    recipient: address,
    socket: z.enum(MAIL_SOCKETS),
  }),
  /** Nothing more comes of a mail, and nobody waits for an answer. */
  z.object({ type: z.literal('mail-drop'), mail: id }),
  z.object({ type: z.literal('smtp-listening'), port: z.number().int() }),
  z.object({ type: z.literal('smtp-failed'), code: z.string().max(100) }),
  z.object({ type: z.literal('mailbox-read') }),
  z.object({ type: z.literal('mailbox-failed'), text }),
] as const

/** What it is answered. */
export const mailAnswerSchemas = [
  z.object({ type: z.literal('recipient'), id, recipient: address.nullable() }),
  z.object({ type: z.literal('mail-outcome'), id, outcome: z.enum(MAIL_OUTCOMES), text }),
] as const

/** What it is told to do. */
export const mailOrderSchemas = [
  z.object({ type: z.literal('listen-smtp'), settings: smtpSettingsSchema }),
  z.object({ type: z.literal('watch-mailbox'), settings: imapSettingsSchema }),
  z.object({ type: z.literal('leave-mailbox') }),
] as const

export type MailQuestion = z.infer<(typeof mailQuestionSchemas)[number]>
export type MailNews = z.infer<(typeof mailNewsSchemas)[number]>
export type MailAnswer = z.infer<(typeof mailAnswerSchemas)[number]>
export type MailOrder = z.infer<(typeof mailOrderSchemas)[number]>

const TYPES = new Set<string>(
  [...mailQuestionSchemas, ...mailNewsSchemas].map(({ shape }) => shape.type.value),
)

/** Whether a message from the inbox is about mails. */
export const isOfMails = (message: { type: string }): message is MailQuestion | MailNews =>
  TYPES.has(message.type)
