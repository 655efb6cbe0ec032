import { FileError } from '../file-error'

/** What errors of connecting and signing in say to those who have a file fetched, and what is said here. */
const WORDS: readonly [RegExp, string][] = [
  [/and open the preview/g, 'and test it'],
  [/settings of the connection/g, 'settings of the destination'],
  [/\b([Tt]his) connection\b/g, '$1 destination'],
  [/Only http:\/\/ and https:\/\/ addresses can be fetched/g, 'The web address is not valid'],
]

/** An error of a sending in words for who has entered its destination. */
export function tellOfSending(error: unknown): unknown {
  if (!(error instanceof FileError)) return error
  const { code, message, retryAfterMs, hostKey, cause } = error
  const told = WORDS.reduce((text, [words, others]) => text.replaceAll(words, others), message)
  return told === message ? error : new FileError(code, told, { retryAfterMs, hostKey, cause })
}
