import { z } from 'zod'

import { KEY_SCOPES } from '../api-keys'
import { boundedList } from './bounds'
import { networksSchema } from './networks'
import { idSchema, instantSchema, nameSchema } from './primitives'

const partSchema = z.object({ id: idSchema, name: z.string() }).nullable()

/** A key by which programs call for a person; the key itself is not kept. */
export const apiKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  /** Its last four characters. */
  tokenEnd: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  /** The only connection that it reaches; null without this limit. */
  connection: partSchema,
  /** The only retailer that it reaches; null without this limit. */
  retailer: partSchema,
  /** The networks that it may be used from; empty for any. */
  networks: z.array(z.string()),
  createdAt: instantSchema,
  expiresAt: instantSchema.nullable(),
  /** Within five minutes; null before the first use. */
  lastUsedAt: instantSchema.nullable(),
  /** The program and the client address of that use. */
  program: z.string().nullable(),
  address: z.string().nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

export const newApiKeySchema = z.object({
  key: apiKeySchema,
  /** The key itself, which cannot be read again. */
  token: z.string(),
})
export type NewApiKey = z.infer<typeof newApiKeySchema>

/** Whose keys: of a person of the caller's company, for owners, or of any company, for administrators. */
const personId = idSchema.optional()

export const listApiKeysInput = z.object({ personId }).default({})

const NO_SCOPES = 'Choose what the key may do'

export const createApiKeyInput = z.object({
  name: nameSchema('Name'),
  scopes: boundedList(z.enum(KEY_SCOPES, 'This scope is not known'), {
    error: NO_SCOPES,
    max: KEY_SCOPES.length,
    tooMany: 'Name each scope once',
  }).refine((scopes) => scopes.length > 0, NO_SCOPES),
  /** The only one of the company that the key reaches. */
  connectionId: idSchema.nullish(),
  retailerId: idSchema.nullish(),
  expiresAt: z.iso.datetime('This is not a time').nullish(),
  networks: networksSchema.default([]),
})
export type CreateApiKeyInput = z.infer<typeof createApiKeyInput>

export const endApiKeyInput = z.object({ id: idSchema, personId })
