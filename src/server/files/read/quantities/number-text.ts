/** The zeros of other scripts, each followed by its nine other digits. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]
/** ASCII characters as wide as Chinese ones are as far above ASCII. */
const WIDE = { first: 0xff01, last: 0xff5e, above: 0xfee0 }

const ALIKE: Record<string, string> = {
  ' ': '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
  "'": '\u2019\u2018\u02bc\u00b4\u2032\u066c`',
  '-': '\u2212\u2010\u2011\u2012\u2013\u2014\ufe63',
  '<=': '\u2264\u2a7d',
  '>=': '\u2265\u2a7e',
  '~': '\u2248',
  // Marks of direction and spaces without width
  '': '\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u061c',
}

const REPLACED = new Map(
  Object.entries(ALIKE).flatMap(([ascii, chars]) =>
    Array.from(chars, (char) => [char, ascii] as const),
  ),
)

/** Writes digits, signs, spaces and apostrophes as ASCII does: `−１２` as `-12`. */
export function toAsciiNumber(text: string): string {
  return isAscii(text) ? text : Array.from(text, toAscii).join('').trim()
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

function toAscii(char: string): string {
  const replaced = REPLACED.get(char)
  if (replaced !== undefined) return replaced
  const code = char.codePointAt(0) ?? 0
  if (code >= WIDE.first && code <= WIDE.last) return String.fromCodePoint(code - WIDE.above)
  const zero = ZEROS.find((first) => code >= first && code < first + 10)
  return zero === undefined ? char : String(code - zero)
}
