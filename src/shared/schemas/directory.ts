import { z } from 'zod'

import {
  ACCESS_STATES,
  CATEGORY_PATH_MAX_LENGTH,
  MAX_CARD_CATEGORIES,
  MAX_LOGO_BYTES,
  SEARCH_MAX_LENGTH,
} from '../constants'
import { UNSAFE_CHARACTERS } from '../web-address'
import { boundedList, upTo } from './bounds'
import { idSchema, instantSchema, nameSchema, storeUrlSchema } from './primitives'

const TOKEN_LENGTH = 43
const LOGO_LENGTH = Math.ceil(MAX_LOGO_BYTES / 3) * 4
const TEXT_LENGTH = 600

/** A text of some lines. */
const textSchema = (label: string) =>
  z
    .string({ error: `${label} must be a text` })
    .trim()
    .max(...upTo(label, TEXT_LENGTH))
    .refine(
      (text) => text.isWellFormed() && !UNSAFE_CHARACTERS.test(text.replaceAll(/\r?\n/g, ' ')),
      `${label} contains characters that are not allowed`,
    )

/** How the source was read on days that are over; null while none is known. */
const freshnessSchema = z
  .object({
    /** Days that are known, of the last 90. */
    days: z.number().int(),
    /** Of these, days on which it was read without a failure at least once. */
    freshDays: z.number().int(),
    /** Of 100 syncs, those that did not fail. */
    goodShare: z.number().int(),
  })
  .nullable()
export type CardFreshness = z.infer<typeof freshnessSchema>

const shownCard = {
  name: z.string(),
  /** What it sells. */
  description: z.string(),
  categories: z.array(z.string()),
  /** An address with its content: `data:image/png;base64,…`. */
  logo: z.string().nullable(),
  freshness: freshnessSchema,
}

/** What a supplier publishes of itself, as it sees it. */
export const cardSchema = z.object({
  isPublished: z.boolean(),
  ...shownCard,
  /** null while it has saved none. */
  updatedAt: instantSchema.nullable(),
})
export type Card = z.infer<typeof cardSchema>

export const saveCardInput = z.object({
  isPublished: z.boolean({ error: 'isPublished must be true or false' }),
  name: nameSchema('Name'),
  description: textSchema('Description'),
  categories: boundedList(
    z.string().trim().min(1, 'A category has no name').max(CATEGORY_PATH_MAX_LENGTH),
    {
      error: 'categories must be a list of names',
      max: MAX_CARD_CATEGORIES,
      tooMany: `At most ${MAX_CARD_CATEGORIES} categories can be shown`,
    },
  ),
  /** A PNG, JPEG or WebP picture in base64; null for none. Without it, the logo stays. */
  logo: z
    .string({ error: 'The logo must be a picture in base64' })
    .max(LOGO_LENGTH, `The logo must have at most ${MAX_LOGO_BYTES / 1024} KB`)
    .nullish(),
})
export type SaveCardInput = z.infer<typeof saveCardInput>

/** How a card is named. */
const card = z.string({ error: 'card is required' }).length(TOKEN_LENGTH, 'The card is not valid')
export const cardInput = z.object({ card })

/** A card in the directory, with what it is to whoever looks. */
export const directoryCardSchema = z.object({
  card: z.string(),
  ...shownCard,
  state: z.enum(ACCESS_STATES),
  /** From when on it can be asked again; null: now, or it waits. */
  askAgainAt: instantSchema.nullable(),
})
export type DirectoryCard = z.infer<typeof directoryCardSchema>

export const directoryInput = z
  .object({
    q: z.string().max(SEARCH_MAX_LENGTH).default(''),
    page: z.coerce.number().pipe(z.number().int().min(1).max(100_000)).default(1),
  })
  .default({ q: '', page: 1 })
export type DirectoryInput = z.infer<typeof directoryInput>

export const directoryPageSchema = z.object({
  cards: z.array(directoryCardSchema),
  matchCount: z.number().int(),
  page: z.number().int(),
  pageCount: z.number().int(),
  /** Requests of the company that wait for an answer. */
  openCount: z.number().int(),
  /** Those of them whose supplier's card cannot be seen any more. */
  hiddenRequests: z.array(z.object({ card: z.string(), askedAt: instantSchema })),
})
export type DirectoryPage = z.infer<typeof directoryPageSchema>

export const requestAccessInput = z.object({
  card,
  /** What the supplier is told of who asks. */
  storeName: nameSchema('Store name'),
  storeUrl: storeUrlSchema.nullish(),
  message: textSchema('Message').default(''),
})
export type RequestAccessInput = z.infer<typeof requestAccessInput>

/** A request as its supplier sees it. */
export const accessRequestSchema = z.object({
  id: idSchema,
  storeName: z.string(),
  storeUrl: z.string().nullable(),
  message: z.string(),
  createdAt: instantSchema,
})
export type AccessRequest = z.infer<typeof accessRequestSchema>

/** The requests that wait, oldest first, up to a hundred of them. */
export const accessRequestListSchema = z.object({
  requests: z.array(accessRequestSchema),
  openCount: z.number().int(),
})

export const approveRequestInput = z.object({
  id: idSchema,
  /** null: in none, to see all products. Without it, the group of newcomers if there is one. */
  groupId: idSchema.nullish(),
})
export type ApproveRequestInput = z.infer<typeof approveRequestInput>

export const approvedSchema = z.object({ retailerId: idSchema })
