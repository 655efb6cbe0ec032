import { USERNAME_MAX_LENGTH } from '../constants'

/** Control characters, half characters, overrides of the direction, and what has no meaning yet. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u202A-\u202E\u2066-\u2069]/u

/** What shows nothing where it stands; the last two are blank although they are no spaces. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u

/** Those that Unicode (UAX 31) finds in use today; the others are for historians. */
const SCRIPTS = [
  'Adlam Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Canadian_Aboriginal Chakma Cham',
  'Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul',
  'Hanifi_Rohingya Hebrew Hiragana Javanese Kannada Katakana Kayah_Li Khmer Lao Latin Lepcha',
  'Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Newa Nko',
  'Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra Sinhala Sundanese Syloti_Nagri Syriac',
  'Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi',
].flatMap((names) => names.split(' '))

/** Scripts that are written together: Japanese, Chinese with its phonetic letters, and Korean. */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/**
 * What is outside of a set of scripts. Common are digits, signs and emoji; inherited are marks that
 * belong to the letter before them.
 */
const outsiders = [...COMBINATIONS, ...SCRIPTS.map((script) => [script])].map((scripts) => {
  const classes = ['Common', 'Inherited', ...scripts].map((script) => `\\p{scx=${script}}`)
  return new RegExp(`[^${classes.join('')}]`, 'u')
})

/**
 * Says why a name would be no good to sign in with: it could pass for another one. Letters keep to one
 * script, or to scripts that are written together, which is what Unicode (UTS 39) calls highly
 * restrictive. Names that only look alike within one script are not found.
 */
export function describeUsernameProblem(name: string): string | undefined {
  // Its length is told elsewhere, and bounds the work here.
  if (name.length > USERNAME_MAX_LENGTH) return undefined
  if (UNSAFE.test(name)) return 'Username contains characters that are not allowed'
  if (INVISIBLE.test(name)) return 'Username contains characters that cannot be seen'
  // Names that differ by their form alone are one: bold letters for mathematics are letters, say.
  const letters = name.normalize('NFKC')
  if (letters.includes('  ')) return 'Username must not have two spaces in a row'
  const isOfOneScript = outsiders.some((outsider) => !outsider.test(letters))
  if (isOfOneScript) return undefined
  return 'Username must keep to the letters of one script, such as Latin or Cyrillic'
}
