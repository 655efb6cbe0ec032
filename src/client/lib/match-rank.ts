/** The rank of a name that does not contain what was typed. */
export const NO_MATCH = 4

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u

/**
 * Ranks how well a name matches what was typed, regardless of case.
 * @returns 0 when it is the name, 1 at its start, 2 at the start of a word, 3 within a word, else 4
 */
export function rankMatch(name: string, typed: string): number {
  const [text, part] = [name.toLowerCase(), typed.toLowerCase()]
  if (text === part) return 0
  if (text.startsWith(part)) return 1
  let rank = NO_MATCH
  for (let at = text.indexOf(part); at > 0; at = text.indexOf(part, at + part.length)) {
    if (!WORD_CHARACTER.test(text.slice(0, at).slice(-1))) return 2
    rank = 3
  }
  return rank
}
