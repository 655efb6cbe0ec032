import { USERNAME_MAX_LENGTH } from '../constants'

/** Control characters, lone surrogates, private use, unassigned and bidirectional overrides. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u202A-\u202E\u2066-\u2069]/u

/** Invisible characters; the last two are blank although they do not count as spaces. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u

/** The recommended and limited-use scripts of Unicode UAX 31; excluded are historic ones. */
const SCRIPTS = [
  'Adlam Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Canadian_Aboriginal Chakma Cham',
  'Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul',
  'Hanifi_Rohingya Hebrew Hiragana Javanese Kannada Katakana Kayah_Li Khmer Lao Latin Lepcha',
  'Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Newa Nko',
  'Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra Sinhala Sundanese Syloti_Nagri Syriac',
  'Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi',
].flatMap((names) => names.split(' '))

/** Scripts written together: Japanese, Chinese with its phonetic letters, and Korean. */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/**
 * One pattern per allowed set of scripts, matching any character outside it. `Common` contains
 * digits, punctuation and emoji; `Inherited` contains marks that combine with the letter before.
 */
const foreignCharacters = [...COMBINATIONS, ...SCRIPTS.map((script) => [script])].map((scripts) => {
  const classes = ['Common', 'Inherited', ...scripts].map((script) => `\\p{scx=${script}}`)
  return new RegExp(`[^${classes.join('')}]`, 'u')
})

/**
 * A message when a username could be confused with another; undefined otherwise. Letters must be
 * of one script, or of scripts written together: the "highly restrictive" level of Unicode UTS 39.
 * Look-alikes within one script are not detected.
 */
export function describeUsernameProblem(name: string): string | undefined {
  // The length is checked elsewhere; here it only bounds the work.
  if (name.length > USERNAME_MAX_LENGTH) return undefined
  if (UNSAFE.test(name)) return 'Username contains characters that are not allowed'
  if (INVISIBLE.test(name)) return 'Username contains characters that cannot be seen'
  // Compatibility forms are equal: mathematical bold letters, for example, count as plain letters.
  const letters = name.normalize('NFKC')
  if (letters.includes('  ')) return 'Username must not have two spaces in a row'
  const isOfOneScript = foreignCharacters.some((foreign) => !foreign.test(letters))
  if (isOfOneScript) return undefined
  return 'Username must keep to the letters of one script, such as Latin or Cyrillic'
}
