/**
 * Shares of each non-ASCII letter among the non-ASCII letters of running text in a language, in
 * percent. Estimated from general knowledge of these languages, not counted in a corpus, and rounded:
 * the differences that decide between charsets are large ("ő" is frequent in Hungarian, "õ" rare in
 * Portuguese).
 */
type Frequencies = Record<string, number>

const CENTRAL_EUROPE: Frequencies[] = [
  // Czech
  {
    í: 22,
    á: 16,
    ě: 11,
    é: 9,
    ř: 8,
    ž: 7,
    č: 7,
    ý: 6,
    š: 6,
    ů: 4,
    ú: 1,
    ť: 0.4,
    ó: 0.4,
    ň: 0.3,
    ď: 0.2,
  },
  // Slovak
  {
    á: 20,
    í: 12,
    č: 11,
    é: 10,
    ý: 10,
    ž: 10,
    š: 9,
    ú: 9,
    ľ: 4,
    ť: 4,
    ô: 2,
    ň: 1.5,
    ď: 1.5,
    ä: 1,
    ó: 1,
    ĺ: 0.2,
    ŕ: 0.2,
  },
  // Polish
  { ł: 29, ą: 14, ę: 15, ó: 12, ż: 11, ś: 10, ć: 6, ń: 3, ź: 1 },
  // Hungarian
  { á: 32, é: 32, ö: 10, ő: 8, ó: 9, ü: 5, í: 5, ú: 2, ű: 2 },
  // Romanian, with the cedillas that these charsets have instead of commas below
  { ă: 32, î: 16, ş: 20, ţ: 20, â: 12 },
  // Croatian, Slovene, Bosnian
  { č: 32, š: 30, ž: 20, ć: 13, đ: 5 },
  // German
  { ü: 36, ä: 30, ö: 17, ß: 15, é: 1 },
]

const WESTERN_EUROPE: Frequencies[] = [
  // French
  { é: 58, à: 15, è: 12, ê: 6, ç: 4, ô: 2, î: 2, û: 1.5, â: 2, ù: 0.5, ë: 0.5, ï: 0.5, œ: 0.6 },
  // German
  { ü: 36, ä: 30, ö: 17, ß: 15, é: 1 },
  // Spanish
  { ó: 30, í: 25, á: 18, é: 14, ñ: 9, ú: 5, ü: 0.5 },
  // Portuguese
  { ã: 22, ç: 17, á: 13, é: 13, ê: 9, í: 9, ó: 7, õ: 4, ú: 3, â: 3, à: 2, ô: 2 },
  // Italian
  { à: 42, è: 24, ù: 13, ò: 13, é: 6, ì: 3 },
  // Swedish, Finnish
  { ä: 44, å: 26, ö: 30, é: 1 },
  // Danish, Norwegian
  { å: 36, ø: 34, æ: 28, é: 2 },
  // Dutch, English: names and loan words
  { é: 50, ë: 25, ï: 10, ö: 5, ü: 5, è: 5, ó: 2, ç: 2, ñ: 2, ê: 2 },
  // Icelandic
  { á: 18, ð: 20, í: 14, þ: 12, ó: 10, ö: 10, æ: 8, é: 5, ú: 5, ý: 3 },
]

export type LatinRegion = 'central' | 'western'

const TABLES: Record<LatinRegion, Map<string, number>[]> = {
  central: CENTRAL_EUROPE.map(toLogarithms),
  western: WESTERN_EUROPE.map(toLogarithms),
}

function toLogarithms(frequencies: Frequencies): Map<string, number> {
  const total = Object.values(frequencies).reduce((sum, part) => sum + part, 0)
  return new Map(
    Object.entries(frequencies).map(([letter, part]) => [letter, Math.log((0.9 * part) / total)]),
  )
}

/** Punctuation, currencies and units, which occur in catalogues of any language. */
const SYMBOLS = new Set('°®©™€£\u00A7±×÷½¼¾²³µ·•–—…„“”‘’‚«»‹›´¨¡¿ªº¹†\u00A0')
const LETTER = /\p{L}/u
const CONTROL = /[\p{Cc}\p{Co}\uFFFD]/u

const LOG_SYMBOL = Math.log(0.01)
const LOG_OTHER_LETTER = Math.log(0.0005)
const LOG_OTHER = Math.log(0.00005)
const LOG_CONTROL = Math.log(0.000001)

/**
 * The likelihood of a text's non-ASCII characters in the language of the region that fits best.
 * @returns its natural logarithm: 0 for a text without such characters, negative otherwise
 */
export function scoreLatinText(text: string, region: LatinRegion): number {
  const scores = TABLES[region].map(() => 0)
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character < '\u0080') continue
    const previous = text[index - 1] ?? ' '
    const next = text[index + 1] ?? ' '
    for (const [language, frequencies] of TABLES[region].entries()) {
      scores[language] =
        (scores[language] ?? 0) + scoreCharacter(character, previous, next, frequencies)
    }
  }
  return Math.max(...scores)
}

function scoreCharacter(
  character: string,
  previous: string,
  next: string,
  frequencies: Map<string, number>,
): number {
  if (CONTROL.test(character)) return LOG_CONTROL
  if (LETTER.test(character) && character !== 'ª' && character !== 'º') {
    const lower = character.toLowerCase()
    // An upper-case letter after a lower-case one suggests a wrong charset.
    const isMisplaced = lower !== character && /\p{Ll}/u.test(previous)
    return (frequencies.get(lower) ?? LOG_OTHER_LETTER) + (isMisplaced ? LOG_SYMBOL : 0)
  }
  const isInsideWord = LETTER.test(previous) && LETTER.test(next)
  return SYMBOLS.has(character) && (!isInsideWord || character === '’') ? LOG_SYMBOL : LOG_OTHER
}
