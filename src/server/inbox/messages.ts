import { z } from 'zod'

import { toFileName } from '../../shared/file-name'
import {
  mailAnswerSchemas,
  mailNewsSchemas,
  mailOrderSchemas,
  mailQuestionSchemas,
} from './mail/messages'

/** Longer names of files are refused by every file system. */
export const MAX_NAME_BYTES = 255
/** The most bytes of a file in one message, to either side. */
export const PIECE_BYTES = 256 * 1024
export const MESSAGE_LIMITS = { lineBytes: 256 * 1024, payloadBytes: PIECE_BYTES }
/** A verdict is some sentences. */
export const MAX_TEXT_LENGTH = 8_000
export const MAX_REASON_LENGTH = 2_000
const MAX_ENTRIES = 50
/** Of files that came by other ways, and of the verdicts beside them. */
const MAX_ENTRY_NAME_LENGTH = 1_000

const id = z.number().int().nonnegative()
const bytes = z.number().int().nonnegative()
/** As it is shown to people, without what could disguise it. */
const name = z
  .string()
  .min(1)
  .max(MAX_NAME_BYTES)
  .refine((text) => toFileName(text) === text)
const base64 = z.base64().max(16 * 1024)

/** By what somebody shows to be the owner of a login. */
const proofSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), password: z.string().max(1_000) }),
  /** Asks whether a key would do. */
  z.object({ kind: z.literal('key'), key: base64 }),
  z.object({
    kind: z.literal('signature'),
    key: base64,
    signature: base64,
    /** What was signed. */
    blob: base64,
    hash: z.enum(['sha256', 'sha512']).nullable(),
  }),
])
export type Proof = z.infer<typeof proofSchema>

/**
 * A message from the inbox to its parent. What it asks for has an `id`, by which it is answered; sessions, uploads and
 * open files have numbers that the inbox chooses.
 */
export const fromInboxSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('listening'), port: z.number().int() }),
  z.object({ type: z.literal('not-listening'), code: z.string().max(100) }),
  z.object({
    type: z.literal('sign-in'),
    id,
    session: id,
    username: z.string().max(200),
    address: z.string().max(64),
    client: z.string().max(255),
    proof: proofSchema,
  }),
  z.object({ type: z.literal('leave'), session: id }),
  z.object({ type: z.literal('list'), id, session: id }),
  /** Begins an upload. */
  z.object({ type: z.literal('put'), id, session: id, upload: id, name }),
  /** The next bytes of an upload follow. */
  z.object({ type: z.literal('piece'), id, upload: id, bytes: bytes.optional() }),
  /** All of an upload has come, which counts once it is named. */
  z.object({ type: z.literal('fill'), id, upload: id }),
  /** All of an upload has come, and it counts, under this name. */
  z.object({ type: z.literal('name'), id, upload: id, name }),
  /** Nothing more comes of an upload. */
  z.object({ type: z.literal('abandon'), upload: id }),
  /** Opens the file of a retailer. */
  z.object({ type: z.literal('open'), id, session: id, file: id }),
  z.object({
    type: z.literal('read'),
    id,
    file: id,
    at: bytes,
    length: z.number().int().min(1).max(PIECE_BYTES),
  }),
  z.object({ type: z.literal('release'), file: id }),
  z.object({
    type: z.literal('pong'),
    connections: bytes,
    /** Connections that were closed before anybody had signed in, because there were too many, since the start. */
    turnedAway: bytes,
  }),
  ...mailQuestionSchemas,
  ...mailNewsSchemas,
])
export type FromInbox = z.infer<typeof fromInboxSchema>

/** A file that a session sees. */
const entrySchema = z.object({
  name: z.string().min(1).max(MAX_ENTRY_NAME_LENGTH),
  sizeBytes: bytes,
  /** In Unix milliseconds. */
  changedAt: z.number().int(),
  /** What can be read in it; null when the file cannot be read, or is opened first. */
  text: z.string().max(MAX_TEXT_LENGTH).nullable(),
})
export type Entry = z.infer<typeof entrySchema>

/** What a login opens: a supplier's folder, to put files, or a retailer's, to fetch its file. */
const HOMES = ['drop-box', 'pick-up'] as const
export type Home = (typeof HOMES)[number]

/** Why something is not done: for good, for now, or because it is not there. */
const REFUSALS = ['denied', 'later', 'missing', 'failed'] as const
export type Refusal = (typeof REFUSALS)[number]

/** A message from the parent to the inbox. */
export const toInboxSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('listen'),
    host: z.string(),
    port: z.number().int(),
    /** The private keys by which the server is known. */
    hostKeys: z.array(z.string()).min(1),
  }),
  z.object({ type: z.literal('signed-in'), id, home: z.enum(HOMES) }),
  z.object({ type: z.literal('listed'), id, entries: z.array(entrySchema).max(MAX_ENTRIES) }),
  z.object({ type: z.literal('opened'), id, sizeBytes: bytes }),
  z.object({ type: z.literal('content'), id, bytes: bytes.optional() }),
  z.object({ type: z.literal('done'), id }),
  z.object({
    type: z.literal('refused'),
    id,
    refusal: z.enum(REFUSALS),
    message: z.string().max(MAX_REASON_LENGTH),
  }),
  /** Ends a session, whatever it is doing. */
  z.object({ type: z.literal('end'), session: id }),
  z.object({ type: z.literal('ping') }),
  /** Accept no more, and end all that is idle. */
  z.object({ type: z.literal('close') }),
  ...mailAnswerSchemas,
  ...mailOrderSchemas,
])
export type ToInbox = z.infer<typeof toInboxSchema>
