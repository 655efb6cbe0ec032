import { z } from 'zod'

import {
  DEFAULT_FILE_NAME,
  DESTINATION_KINDS,
  DISPATCH_STATUSES,
  MAX_RECIPIENTS,
  MAX_TIMES,
  NAME_PLACES,
  WEB_METHODS,
} from '../destinations'
import { boundedList, upTo } from './bounds'
import { connectionConfigSchema } from './connection'
import { pageInput, pageSchema } from './page'
import { idInQuery, idSchema, instantSchema, nameSchema, targetUrlSchema } from './primitives'
import { chosenShopFormatSchema, shopFormatSchema } from './shop-format'
import { maskedSourceAuthSchema } from './source-auth'
import { transferSchema } from './transfer'

const FILE_NAME_MAX_LENGTH = 150
const PLACES = new Set<string>(NAME_PLACES)
/** What no server takes for anything but a name: no folders, no `..`, nothing that a shell or a URL reads. */
const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+-]*$/u

const fileNameSchema = z
  .string({ error: 'Enter how the file is to be called' })
  .trim()
  .min(1, 'Enter how the file is to be called')
  .max(...upTo('The name of the file', FILE_NAME_MAX_LENGTH))
  .refine(
    (name) => [...name.matchAll(/\{([^{}]*)\}/g)].every(([, place = '']) => PLACES.has(place)),
    'In braces can be {supplier}, {time} or {version}',
  )
  .refine(
    (name) => PLAIN_NAME.test(name.replaceAll(/\{[^{}]*\}/g, 'x')),
    'The name of the file can have letters, digits, spaces and . _ - + ( )',
  )

const timeSchema = z
  .string({ error: 'A time of day must be a text such as 06:30' })
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of day must be a text such as 06:30')

/** A name of the IANA database, such as `Europe/Berlin`. */
export const timeZoneSchema = z
  .string({ error: 'Choose a time zone' })
  .max(...upTo('The time zone', 64))
  .refine(isTimeZone, 'This time zone is not known: choose one such as Europe/Berlin')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** As of a source, but what is done with files that were read is not asked. */
const destinationConfigSchema = connectionConfigSchema.extend({ url: targetUrlSchema })

const destinationFields = {
  name: nameSchema('Name'),
  /** Where to, and with what: exactly one of it and `recipients` is given. A secret left out is kept. */
  config: destinationConfigSchema.optional(),
  /** The people of the company who get it by mail, by their ids. */
  recipients: boundedList(idSchema, {
    error: 'recipients must be a list',
    max: MAX_RECIPIENTS,
    tooMany: `A mail goes to at most ${MAX_RECIPIENTS} people`,
  }).optional(),
  /** Of a web address. */
  method: z.enum(WEB_METHODS, { error: 'The method must be PUT or POST' }),
  fileName: fileNameSchema,
  /** null: the retailer's own. */
  profile: chosenShopFormatSchema.nullable(),
  /** Empty: at each new file. */
  times: boundedList(timeSchema, {
    error: 'times must be a list',
    max: MAX_TIMES,
    tooMany: `At most ${MAX_TIMES} times can be chosen`,
  }),
  onlyIfChanged: z.boolean({ error: 'onlyIfChanged must be true or false' }),
  isActive: z.boolean({ error: 'isActive must be true or false' }),
}

/** `id` is that of the retailer. */
export const createDestinationInput = z.object({
  id: idSchema,
  ...destinationFields,
  method: destinationFields.method.default('PUT'),
  fileName: destinationFields.fileName.default(DEFAULT_FILE_NAME),
  profile: destinationFields.profile.default(null),
  times: destinationFields.times.default([]),
  onlyIfChanged: destinationFields.onlyIfChanged.default(true),
  isActive: destinationFields.isActive.default(true),
})
export type CreateDestinationInput = z.infer<typeof createDestinationInput>

/** A destination as it would be saved, to be tried before. */
export const trialDestinationInput = createDestinationInput.extend({
  /** The destination whose stored secrets are used when `auth` has none. */
  destinationId: idSchema.optional(),
})
export type TrialDestinationInput = z.infer<typeof trialDestinationInput>

/** Of the retailer `id`; what is left out stays as it is. */
export const updateDestinationInput = z.object({
  id: idSchema,
  destinationId: idSchema,
  ...z.object(destinationFields).partial().shape,
})
export type UpdateDestinationInput = z.infer<typeof updateDestinationInput>

export const destinationPlaceInput = z.object({ id: idSchema, destinationId: idSchema })

export const changeTimeZoneInput = z.object({ id: idSchema, timeZone: timeZoneSchema })

/** The same of the caller's own merged file. */
export const ofMergedFile = {
  create: createDestinationInput.omit({ id: true }),
  trial: trialDestinationInput.omit({ id: true }),
  update: updateDestinationInput.omit({ id: true }),
  place: destinationPlaceInput.omit({ id: true }),
  timeZone: changeTimeZoneInput.omit({ id: true }),
}

/** How a destination is; the first that holds. */
export const DESTINATION_STATES = ['off', 'paused', 'sending', 'retrying', 'ok', 'new'] as const

export const destinationSchema = z.object({
  id: idSchema,
  name: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  /** null for mails. */
  config: z
    .object({
      url: z.string(),
      auth: maskedSourceAuthSchema,
      transfer: transferSchema.optional(),
    })
    .nullable(),
  recipients: z.array(idSchema),
  method: z.enum(WEB_METHODS).nullable(),
  fileName: z.string(),
  profile: shopFormatSchema.nullable(),
  times: z.array(z.string()),
  onlyIfChanged: z.boolean(),
  isActive: z.boolean(),
  state: z.enum(DESTINATION_STATES),
  /** Why nothing is sent any more, or why the last attempt failed. */
  reason: z.string().nullable(),
  pausedAt: instantSchema.nullable(),
  /** When it got a file last, and how many rows that had. */
  sentAt: instantSchema.nullable(),
  sentRows: z.number().int().nullable(),
  /** When the next attempt is made, or the next time of day comes; null: at the next new file. */
  nextAt: instantSchema.nullable(),
  createdAt: instantSchema,
})
export type Destination = z.infer<typeof destinationSchema>

/** Where a retailer has its file sent to, and what can be chosen. */
export const destinationListSchema = z.object({
  destinations: z.array(destinationSchema),
  timeZone: z.string(),
  /** The people of the company, with their confirmed addresses, masked for others; null: none, so they get no mail. */
  people: z.array(z.object({ id: idSchema, name: z.string(), address: z.string().nullable() })),
  /** Whether this installation sends mail. */
  hasMail: z.boolean(),
  /** Whether any delivery is listed, also of a destination that is gone. */
  hasDispatches: z.boolean(),
})
export type DestinationList = z.infer<typeof destinationListSchema>

/** What came of the trial of a destination. */
export const destinationTrialSchema = z.object({
  isOk: z.boolean(),
  /** What was done and what the other side said, in a sentence; or why it failed and what to do. */
  text: z.string(),
  /** The key that an SFTP server shows, to be confirmed. */
  hostKey: z.string().optional(),
})
export type DestinationTrial = z.infer<typeof destinationTrialSchema>

export const dispatchSchema = z.object({
  id: idSchema,
  /** null when the destination is gone. */
  destinationId: idSchema.nullable(),
  destinationName: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  /** The name of the version's file. */
  versionName: z.string(),
  fileName: z.string(),
  status: z.enum(DISPATCH_STATUSES),
  attempts: z.number().int(),
  /** Whether it may have arrived before. */
  isRepeat: z.boolean(),
  sizeBytes: z.number().int(),
  rowCount: z.number().int(),
  sha256: z.string(),
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  nextAttemptAt: instantSchema.nullable(),
  answer: z.string().nullable(),
})
export type Dispatch = z.infer<typeof dispatchSchema>

export const listDispatchesInput = pageInput(['createdAt']).extend({
  id: idSchema,
  /** Without it, of all. */
  destinationId: idSchema.optional(),
  /** Without it, whatever became of them. */
  status: z.enum(DISPATCH_STATUSES).optional(),
})
export type ListDispatchesInput = z.infer<typeof listDispatchesInput>

export const listMergedDispatchesInput = listDispatchesInput.omit({ id: true })

/** The view of an export, of which all pages are written. */
export const dispatchesExportQuery = z.object({
  q: listDispatchesInput.shape.q,
  sort: listDispatchesInput.shape.sort,
  destinationId: idInQuery,
  status: listDispatchesInput.shape.status,
})

export const dispatchPageSchema = pageSchema(dispatchSchema)
export type DispatchPage = z.infer<typeof dispatchPageSchema>
