import { CHARSETS, type Charset, decodeText, findCharset } from './charsets'

/** What the most files in the West come in, and what a sign without letters around it is read as. */
const WESTERN = 'windows-1252'
const LESS_THAN = 0x3c
const SPACE = 0x20

/** How much a misfit per non-ASCII letter counts against a charset. */
const MISFIT_WEIGHT = 3
/** Misfits per non-ASCII letter above which a text is not in the charset that was expected. */
const MAX_EXPECTED_MISFIT = 0.05
/** Charsets that few programs have ever written: their languages mostly come in other charsets. */
const RARE = new Set([
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-10',
  'iso-8859-14',
  'maccenteuro',
  'cp437',
])
const RARE_LIKELIHOOD = 0.8

/**
 * The declared charset if the cells make sense in it. Windows-1252 and its subset ISO-8859-1 do not
 * count if only the server declares them, as servers do for files of any charset.
 * @param declared the name that the server or the file gives
 */
export function findDeclaredCharset(
  declared: string | null | undefined,
  cells: readonly Uint8Array[],
  isOfFile = false,
): string | undefined {
  const name = findCharset(declared ?? '')
  if (name === undefined || (name === WESTERN && !isOfFile)) return undefined
  const misfit = measureMisfit(decodeText(name, joinCells(cells)))
  return misfit < MAX_EXPECTED_MISFIT ? name : undefined
}

/**
 * Guesses the charset of cells that are not UTF-8. jschardet ranks the charsets by the letter pairs of
 * languages; misfits in the decoded text count against a charset. The charset of the file before, or
 * else Windows-1252, is preferred as long as there are few different letters: one letter fits many
 * charsets, several decide.
 * @param previous the encoding of the file before
 * @returns the name of one of `CHARSETS`
 */
export async function guessCharset(
  cells: readonly Uint8Array[],
  previous?: string | null,
): Promise<string> {
  const bytes = joinCells(cells)
  const expected = findCharset(previous ?? '') ?? WESTERN
  if (!hasWords(bytes)) return expected
  let best = { name: WESTERN, likelihood: 0 }
  for (const { charset, confidence } of await rank(bytes)) {
    const weight = weigh(charset.name, decodeText(charset.name, bytes), expected)
    const likelihood = confidence * weight
    if (likelihood > best.likelihood) best = { name: charset.name, likelihood }
  }
  return best.name
}

/** The factor by which a charset is more or less likely than the detector says. */
function weigh(name: string, text: string, expected: string): number {
  const misfit = measureMisfit(text)
  const fit = Math.max(0, 1 - MISFIT_WEIGHT * misfit)
  if (name !== expected || misfit >= MAX_EXPECTED_MISFIT) {
    return RARE.has(name) ? fit * RARE_LIKELIHOOD : fit
  }
  // 101 for one letter, 1.7 for three, nearly 1 for many.
  return fit * (1 + 100 / Math.max(1, countLetters(text)) ** 4.5)
}

/** A detector obeys `<meta charset>`, and takes `BM` at the start for an image: neither is evidence. */
function joinCells(cells: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(cells.flatMap((cell) => [Buffer.from('\n'), cell]))
  for (const [index, byte] of bytes.entries()) if (byte === LESS_THAN) bytes[index] = SPACE
  return bytes
}

/** The charsets that the bytes are valid in, in the order of `CHARSETS`, so that ties go to the earlier. */
async function rank(bytes: Buffer): Promise<{ charset: Charset; confidence: number }[]> {
  // Loaded on demand, because its models take 70 MB and most files are UTF-8.
  const { chardet } = await import('jschardet')
  const results = chardet.detectAll(bytes, {
    compatNames: false,
    ignoreThreshold: true,
    includeEncodings: CHARSETS.flatMap(({ detectorNames }) => detectorNames),
  })
  // In ISO 8859, these bytes are control characters.
  const hasC1 = bytes.some((byte) => byte >= 0x80 && byte < 0xa0)
  const possible = CHARSETS.filter(({ name }) => !(hasC1 && name.startsWith('iso-8859')))
  return possible.flatMap((charset) => {
    const result = results.find(({ encoding }) => charset.detectorNames.includes(encoding ?? ''))
    return result ? [{ charset, confidence: result.confidence }] : []
  })
}

/** Whether a byte above 0x7F stands beside a letter: signs stand alone or beside digits. */
function hasWords(bytes: Uint8Array): boolean {
  const isWordByte = (byte = 0) => byte >= 0x80 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
  return bytes.some(
    (byte, index) => byte >= 0x80 && (isWordByte(bytes[index - 1]) || isWordByte(bytes[index + 1])),
  )
}

/** Without signs that Unicode counts as letters: they stand beside digits, and before units. */
const LETTER = /[\p{L}--[µªº]]/v
const UPPER = /\p{Lu}/u
const LOWER = /[\p{Ll}--µ]/v
const DIGIT = /\d/
/** Apostrophes, soft hyphens, marks and signs that stand between letters: “Men´s”, “col·lecció”, “m²/h”. */
const INSIDE_WORDS = /[\u2019\u00ad\p{M}´°®²·]/u
const NOT_TEXT = /[\p{Cc}\p{Co}\p{Cn}\uFFFD\u0385\u2300-\u23FF\u2500-\u259F]/u
/** Few in Icelandic, the one language that has them. Where they are all there is, they stand for š and ž. */
const ICELANDIC = /[ðþ]/iu
/** Characters of East Asia, which do not stand alone between the letters of a Latin word. */
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/v
const SCRIPTS = [
  /\p{sc=Latin}/u,
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Hebrew}/u,
  /\p{sc=Arabic}/u,
  /\p{sc=Thai}/u,
]

/** The number of different non-ASCII letters beside letters: signs stand beside words of any language. */
function countLetters(text: string): number {
  const found = text.match(/(?<=\p{L})[^\0-\u{7F}]|[^\0-\u{7F}](?=\p{L})/gu)
  return new Set(found?.filter((character) => LETTER.test(character))).size
}

/** What in a decoded text does not look like words, per non-ASCII letter: 0 to 1. */
function measureMisfit(text: string): number {
  const characters = Array.from(text)
  let misfit = 0
  let count = 0
  for (const [index, character] of characters.entries()) {
    if (character < '\u0080') continue
    const own = misfitOf(character, characters[index - 1] ?? ' ', characters[index + 1] ?? ' ')
    // Signs in their places say nothing about letters.
    if (own > 0 || LETTER.test(character)) count++
    misfit += own
  }
  return count === 0 ? 0 : misfit / count
}

function misfitOf(character: string, previous: string, next: string): number {
  if (NOT_TEXT.test(character)) return 1
  if (!LETTER.test(character)) {
    const isInsideWord = LETTER.test(previous) && LETTER.test(next)
    return isInsideWord && !INSIDE_WORDS.test(character) ? 0.5 : 0
  }
  if (ICELANDIC.test(character)) return 0.1
  if (UPPER.test(character) && LOWER.test(previous)) return 0.6
  if (LOWER.test(character) && (DIGIT.test(previous) || DIGIT.test(next))) return 0.5
  if (EAST_ASIAN.test(character) && LOWER.test(previous) && LOWER.test(next)) return 0.5
  return isOtherScript(character, previous) || isOtherScript(character, next) ? 0.5 : 0
}

function isOtherScript(character: string, neighbour: string): boolean {
  if (!LETTER.test(neighbour)) return false
  const script = SCRIPTS.find((pattern) => pattern.test(character))
  const other = SCRIPTS.find((pattern) => pattern.test(neighbour))
  return script !== undefined && other !== undefined && script !== other
}
