import { PASSWORD_MIN_LENGTH } from '../../../../shared/constants'

const PRODUCT = 'Stockbridge'
/** Shorter ones are in passwords by chance. */
const MIN_WORD_LENGTH = 4

/**
 * Why a password is one of the first that somebody tries; undefined for any other.
 * @param names those of the person, the company and the installation
 */
export async function findFirstGuess(
  password: string,
  names: readonly (string | null | undefined)[],
): Promise<string | undefined> {
  const common = await readCommonPasswords()
  if (common.has(password.toLowerCase())) {
    return 'This is one of the most common passwords. Choose another one.'
  }
  const key = toKey(password)
  for (const word of listWords([PRODUCT, ...names])) {
    if (!key.includes(word)) continue
    const rest = key.replaceAll(word, '')
    if (rest.length < PASSWORD_MIN_LENGTH || common.has(rest)) {
      return 'This password is little more than a name that others would try. Choose another one.'
    }
  }
  return undefined
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu
const fold = (text: string) => text.normalize('NFKC').toLowerCase()
/** Letters and digits only. */
const toKey = (text: string) => fold(text).replaceAll(SEPARATORS, '')

/** Names as a whole, and each word of them. */
function listWords(names: readonly (string | null | undefined)[]): Set<string> {
  const words = names.flatMap((name) =>
    name ? [toKey(name), ...fold(name).split(SEPARATORS)] : [],
  )
  return new Set(words.filter((word) => word.length >= MIN_WORD_LENGTH))
}

let commonPasswords: Promise<Set<string>> | undefined

/** Half a megabyte, which an installation that refuses nothing never reads. */
function readCommonPasswords(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return commonPasswords
}
