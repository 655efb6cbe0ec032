import { z } from 'zod'

import { PASSKEY_TRANSPORTS } from '../passkeys'
import { boundedList, upTo } from './bounds'
import { idSchema, instantSchema, nameSchema } from './primitives'
import { loginInput } from './user'

export const passkeySchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The host at which it works, if that is not the one of this installation any more. */
  otherHost: z.string().nullable(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>

/** The caller's passkeys, the newest first. */
export const ownPasskeysSchema = z.object({
  passkeys: z.array(passkeySchema),
  /** The origin at which browsers use them; null where they use none. */
  origin: z.string().nullable(),
  /** The browser of the session, after which a new one may be named. */
  program: z.string().nullable(),
})
export type OwnPasskeys = z.infer<typeof ownPasskeysSchema>

/** The only type that there is. */
const publicKey = z.string().pipe(z.literal('public-key'))

const credentialSchema = z.object({
  id: z.string(),
  type: publicKey,
  transports: z.array(z.string().pipe(z.enum(PASSKEY_TRANSPORTS))).exactOptional(),
})

/** What a browser needs to make a passkey. */
export const passkeySetupSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string().exactOptional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: publicKey })),
  timeout: z.number().exactOptional(),
  excludeCredentials: z.array(credentialSchema).exactOptional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(['discouraged', 'preferred', 'required']).exactOptional(),
      requireResidentKey: z.boolean().exactOptional(),
      userVerification: z.enum(['discouraged', 'preferred', 'required']).exactOptional(),
    })
    .exactOptional(),
})

/** What a browser needs to have a passkey answer. */
export const passkeyQuestionSchema = z.object({
  challenge: z.string(),
  rpId: z.string().exactOptional(),
  timeout: z.number().exactOptional(),
  allowCredentials: z.array(credentialSchema).exactOptional(),
  userVerification: z.enum(['discouraged', 'preferred', 'required']).exactOptional(),
})

/** Longer than any part of an answer without attestation. */
const PART_MAX_LENGTH = 16_000
const NOT_AN_ANSWER = 'This is not the answer of a passkey'

const part = z.string(NOT_AN_ANSWER).max(...upTo('A part of the answer', PART_MAX_LENGTH))
/** In base64url, of 16 to 1,023 bytes. */
const credentialId = z.string(NOT_AN_ANSWER).regex(/^[\w-]{22,1364}$/, NOT_AN_ANSWER)
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.enum(['public-key'], NOT_AN_ANSWER),
  /** None are asked for. */
  clientExtensionResults: z.object({}, NOT_AN_ANSWER).default({}),
}

/** What a browser sends once it has made a passkey. */
const madePasskeySchema = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: part,
        attestationObject: part,
        transports: boundedList(part, {
          error: NOT_AN_ANSWER,
          max: 20,
          tooMany: NOT_AN_ANSWER,
        }).optional(),
      },
      NOT_AN_ANSWER,
    ),
  },
  NOT_AN_ANSWER,
)
export type MadePasskey = z.infer<typeof madePasskeySchema>

/** What a browser sends once a passkey has answered. */
const passkeyAnswerSchema = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: part,
        authenticatorData: part,
        signature: part,
        userHandle: part.optional(),
      },
      NOT_AN_ANSWER,
    ),
  },
  NOT_AN_ANSWER,
)
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>

export const passkeyNameSchema = z.object({ name: nameSchema('Name') })

export const addPasskeyInput = passkeyNameSchema.extend({ made: madePasskeySchema })
export type AddPasskeyInput = z.infer<typeof addPasskeyInput>

export const renamePasskeyInput = passkeyNameSchema.extend({ id: idSchema })

export const removePasskeyInput = z.object({ id: idSchema })

export const passkeyAnswerInput = z.object({ answer: passkeyAnswerSchema })

export const passkeySignInInput = passkeyAnswerInput.extend({
  /** Whose password was right before, if one was typed: the passkey has to be that person's. */
  username: loginInput.shape.username.optional(),
})
export type PasskeySignInInput = z.infer<typeof passkeySignInInput>
