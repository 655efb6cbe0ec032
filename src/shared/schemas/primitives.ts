import { z } from 'zod'

import {
  EMAIL_MAX_LENGTH,
  MAX_EXPECTED_HOURS,
  MAX_SYNC_FREQUENCY,
  NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PHONE_MAX_LENGTH,
  URL_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
} from '../constants'
import { hasFolders, toFolderAddress } from '../destinations'
import { describeFilePlaceProblem, isFileServerAddress } from '../file-server-address'
import { describeS3Problem, isS3Address } from '../s3-address'
import { readShareLink } from '../share-link'
import { findScheme } from '../source-schemes'
import { splitTypedAddress } from '../typed-address'
import { storeUrlToHref, UNSAFE_CHARACTERS } from '../web-address'
import { upTo } from './bounds'
import { describeUsernameProblem } from './username-characters'

// In a browser, zod would probe `new Function`, which the Content-Security-Policy forbids.
if ('document' in globalThis) z.config({ jitless: true })

const INVALID_ID = 'The id is not valid'

/** An entity's id, as a number in JSON. */
export const idSchema = z
  .number(INVALID_ID)
  .int(INVALID_ID)
  .positive(INVALID_ID)
  .max(Number.MAX_SAFE_INTEGER, INVALID_ID)

/** The same in a URL, whose values are texts. */
export const idInQuery = z.coerce.number().pipe(idSchema).optional()

export const byIdInput = z.object({ id: idSchema })

/** A time in a response: ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime()

/** `maxRetailers` of a supplier: docs/rules.md#retailers */
export const maxRetailersSchema = z
  .number({ error: 'Max retailers must be a number' })
  .int('Max retailers must be a whole number')
  .min(1, 'Max retailers must be at least 1')
  .max(1_000_000, 'Max retailers must be at most 1000000')

/** A sync frequency in minutes; 0 is real-time. */
export const syncFrequencySchema = z
  .number({ error: 'Sync frequency must be a number of minutes' })
  .int('Sync frequency must be a whole number of minutes')
  .min(0, 'Sync frequency must be at least 0')
  .max(MAX_SYNC_FREQUENCY, `Sync frequency must be at most ${MAX_SYNC_FREQUENCY} minutes`)

/** How often a file is to come at least, in hours. */
export const expectedEveryHoursSchema = z
  .number({ error: 'The time between two files must be a number of hours' })
  .int('The time between two files must be a whole number of hours')
  .min(1, 'The time between two files must be at least 1 hour')
  .max(MAX_EXPECTED_HOURS, `The time between two files must be at most ${MAX_EXPECTED_HOURS} hours`)

/**
 * A required name of 1 to 200 characters, trimmed; `label` names the field in messages:
 * "Store name is required".
 */
export function nameSchema(label: string) {
  return z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .max(...upTo(label, NAME_MAX_LENGTH))
    .refine(
      (name) => !UNSAFE_CHARACTERS.test(name),
      `${label} contains characters that are not allowed`,
    )
    .refine((name) => name.isWellFormed(), `${label} contains characters that are not allowed`)
}

export const usernameSchema = z
  .string({ error: 'Username is required' })
  .trim()
  .min(1, 'Username is required')
  .max(...upTo('Username', USERNAME_MAX_LENGTH))
  .superRefine((name, context) => {
    const problem = describeUsernameProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/**
 * A newly chosen password: "Password must be at least 6 characters". Spaces are kept: they are part of
 * it. docs/rules.md#accounts
 */
export const newPasswordSchema = z
  .string({ error: 'Password is required' })
  .min(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`)
  .max(...upTo('Password', PASSWORD_MAX_LENGTH))
  .refine(
    (password) => password.isWellFormed(),
    'Password contains characters that are not allowed',
  )

export const emailSchema = z
  .string('Invalid email address')
  .max(...upTo('Email', EMAIL_MAX_LENGTH))
  .pipe(z.email('Invalid email address'))

const addressSchema = (describeProblem: (text: string) => string | undefined) =>
  z
    .string({ error: 'URL is required' })
    .trim()
    .min(1, 'URL is required')
    .max(...upTo('URL', URL_MAX_LENGTH))
    .superRefine((url, context) => {
      const problem = describeProblem(url)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

/** Where events are sent. Only its form is checked here; the host is checked when connecting. */
export const receiverUrlSchema = addressSchema(describeUrlProblem)

/** The URL of a source, likewise. */
export const sourceUrlSchema = addressSchema((typed) => {
  if (UNSAFE_CHARACTERS.test(typed)) return describeUrlProblem(typed)
  if (isS3Address(typed)) return describeS3Problem(typed)
  const { address } = splitTypedAddress(typed)
  if (isFileServerAddress(address)) return describeFilePlaceProblem(address)
  if (URL.canParse(address) && findScheme(address) === undefined) return OTHER_SCHEME
  return describeUrlProblem(address) ?? readShareLink(address)?.refusal
})

/** Where files are sent to: a folder at a server of files or in a bucket, or a web address. */
export const targetUrlSchema = addressSchema((typed) => {
  if (UNSAFE_CHARACTERS.test(typed)) return describeUrlProblem(typed)
  const { address } = splitTypedAddress(typed)
  if (hasFolders(address)) return describeFolderProblem(address)
  if (URL.canParse(address) && findScheme(address) === undefined) return OTHER_SCHEME
  return describeUrlProblem(address) ?? (readShareLink(address) && ONLY_READ)
})

/** @param address of a server of files, or in a bucket */
function describeFolderProblem(address: string): string | undefined {
  if (address.includes('*')) return 'Enter one folder: a * cannot stand for where files are sent to'
  const file = `${toFolderAddress(address)}x`
  if (isS3Address(file)) {
    return describeS3Problem(file) && 'Enter the bucket and the folder, for example s3://bucket/in/'
  }
  return (
    describeFilePlaceProblem(file) &&
    'Enter the server and the folder, for example sftp://files.example.com/in/'
  )
}

const ONLY_READ =
  'This is a link for reading a file, to which nothing can be sent. Enter the address of a server.'

const OTHER_SCHEME = 'Only http, https, s3, sftp, ftp and ftps addresses can be used'

function describeUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || UNSAFE_CHARACTERS.test(text)) {
    return 'Enter a full address, for example https://example.com/inventory.csv'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return 'Only http:// and https:// addresses can be used'
  }
  if (url.username || url.password) {
    return 'Leave the user name and password out of the address'
  }
  return undefined
}

/** A bare domain, an http(s) URL or empty. */
function webAddressSchema(label: string) {
  return z
    .string()
    .trim()
    .max(...upTo(label, URL_MAX_LENGTH))
    .refine(
      (text) => text === '' || storeUrlToHref(text) !== undefined,
      'Enter a web address, for example shop.example',
    )
}

/** A store's address: docs/rules.md#retailers */
export const storeUrlSchema = webAddressSchema('Store URL')

/** A company's website, in the forms of a store's address. */
export const websiteSchema = webAddressSchema('Website')

const PHONE_NUMBER = /^[\d+(][\d +()./-]*$/

/** A phone number as people write it. */
export const phoneSchema = z
  .string('Phone must be a text')
  .trim()
  .max(...upTo('Phone', PHONE_MAX_LENGTH))
  .regex(PHONE_NUMBER, 'Enter a phone number, for example +44 20 7946 0000')

/** For optional fields: forms send an empty text for a field that was left empty. */
export const nullWhenEmpty = (value: unknown) => (value === '' ? null : value)
