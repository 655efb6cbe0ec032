import { z } from 'zod'

import { EMAIL_MAX_LENGTH, MAIL_STATES, MAX_ALLOWED_SENDERS } from '../constants'
import { boundedList, upTo } from './bounds'
import { idSchema, instantSchema } from './primitives'

const ADDRESS = /^(?:\*|[\w.!#$%&'*/=?^`{|}~+-]{1,64})@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}$/

/** An address, or `*@` and a domain: everybody there. */
export const allowedSenderSchema = z
  .string('Enter an address, or *@ and a domain')
  .trim()
  .toLowerCase()
  .max(...upTo('An address', EMAIL_MAX_LENGTH))
  .regex(
    ADDRESS,
    'Enter an address, such as stock@acme.example, or *@acme.example for a whole domain',
  )

export const mailInboxSchema = z.object({
  /** To which files are sent. */
  address: z.string(),
  allowedSenders: z.array(z.string()),
  createdAt: instantSchema,
  lastMailAt: instantSchema.nullable(),
})
export type MailInbox = z.infer<typeof mailInboxSchema>

export const shownMailInboxSchema = z.object({
  /** Whether this installation receives mails. */
  isAvailable: z.boolean(),
  /** null: the connection has no address. */
  inbox: mailInboxSchema.nullable(),
})
export type ShownMailInbox = z.infer<typeof shownMailInboxSchema>

export const allowSendersInput = z.object({
  id: idSchema,
  allowedSenders: boundedList(allowedSenderSchema, {
    error: 'Send a list of addresses',
    max: MAX_ALLOWED_SENDERS,
    tooMany: `At most ${MAX_ALLOWED_SENDERS} senders can be allowed`,
  }).transform((all) => [...new Set(all)]),
})

/** A mail that came, and what became of it. */
export const mailSchema = z.object({
  id: idSchema,
  /** The address that it says it is from; null: none, or several. */
  sender: z.string().nullable(),
  subject: z.string().nullable(),
  /** Of the table that is attached to it. */
  fileName: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
  /** Further tables that are attached to it, which are not read. */
  otherFiles: z.number().int(),
  state: z.enum(MAIL_STATES),
  /** Why it waits, was refused, or was discarded. */
  reason: z.string().nullable(),
  receivedAt: instantSchema,
  /** The received file that was made of it. */
  receivedFileId: idSchema.nullable(),
  /** The username of who has decided. */
  decidedBy: z.string().nullable(),
  /** While it waits: when it is discarded unless somebody decides. */
  waitsUntil: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
})
export type Mail = z.infer<typeof mailSchema>

export const mailInput = z.object({ id: idSchema, mailId: idSchema })
export type MailInput = z.infer<typeof mailInput>

export const takeMailInput = mailInput.extend({
  allowsSender: z
    .boolean()
    .default(false)
    .describe('Whether mails of this sender are taken from now on'),
})
export type TakeMailInput = z.infer<typeof takeMailInput>
