/** The product's own name, as people who know where they sign in would try it. */
const PRODUCT = 'stockbridge'
/** A shorter name is part of many good passwords. */
const MIN_NAME_LENGTH = 4

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is among the first that anybody would try: one of the common ones, or made of a name of the
 * account or the product, in capitals or not.
 */
export async function isGuessable(
  password: string,
  names: readonly (string | null)[],
): Promise<boolean> {
  const tried = password.toLowerCase()
  const words = [PRODUCT, ...names].flatMap((name) => name?.toLowerCase().trim() ?? [])
  if (words.some((word) => word.length >= MIN_NAME_LENGTH && tried.includes(word))) return true
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(tried)
}

/** The list beside which the client tells how weak a password is. Only loaded where it is asked for. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String))
}
