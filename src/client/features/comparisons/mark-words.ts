/** Two texts as parts, of which only those in the middle differ. */
export interface MarkedWords {
  start: string
  before: string
  after: string
  end: string
}

/** Finds the words in which two texts differ; texts without a word in common differ as a whole. */
export function markWords(before: string, after: string): MarkedWords {
  const [older, newer] = [toWords(before), toWords(after)]
  const shorter = Math.min(older.length, newer.length)
  let start = 0
  while (start < shorter && older[start] === newer[start]) start++
  let end = 0
  while (end < shorter - start && older.at(-1 - end) === newer.at(-1 - end)) end++
  const middle = (words: string[]) => words.slice(start, words.length - end).join('')
  return {
    start: older.slice(0, start).join(''),
    before: middle(older),
    after: middle(newer),
    end: older.slice(older.length - end).join(''),
  }
}

/** Words, and the spaces between them. */
const toWords = (text: string) => text.split(/(\s+)/u).filter((part) => part !== '')
