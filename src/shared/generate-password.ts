/** 32 characters that nobody confuses on paper: no l, o, 0 and 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/**
 * A random password of at least 80 bits that can be read out, such as `k7mp-w3xq-9fte-hr4n`.
 * @param minLength how many characters it has at least
 */
export function generatePassword(minLength = 0): string {
  const groups = Math.max(GROUPS, Math.ceil((minLength + 1) / (GROUP_LENGTH + 1)))
  const bytes = crypto.getRandomValues(new Uint8Array(groups * GROUP_LENGTH))
  const characters = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}
