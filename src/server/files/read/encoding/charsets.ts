import iconv from 'iconv-lite'

import { createIso2022KrConverter } from './iso-2022'

/** A charset other than Unicode that files come in. */
export interface Charset {
  /** As stored with a file: lower case, known to iconv-lite. */
  name: string
  /** What jschardet calls it, and charsets that it contains. */
  detectorNames: readonly string[]
  /** The label for `TextDecoder`, where iconv-lite lacks the charset or has another table. */
  textDecoder?: string
  /** Whether some characters take more than one byte. */
  isMultiByte?: true
}

const WINDOWS = [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258]
/** Without 1, which Windows-1252 contains, 11, which cp874 contains, and 12, which does not exist. */
const ISO_8859 = [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16]
const DOS = [850, 852, 855, 866, 437]

/** Every charset that can be detected, the commoner of similar ones first. */
export const CHARSETS: readonly Charset[] = [
  ...WINDOWS.map((page) => ({ name: `windows-${page}`, detectorNames: [`cp${page}`] })),
  ...ISO_8859.map((part) => ({ name: `iso-8859-${part}`, detectorNames: [`iso8859-${part}`] })),
  ...DOS.map((page) => ({ name: `cp${page}`, detectorNames: [`cp${page}`] })),
  { name: 'cp874', detectorNames: ['cp874', 'tis-620'] },
  { name: 'macroman', detectorNames: ['mac-roman'], textDecoder: 'macintosh' },
  { name: 'maccenteuro', detectorNames: ['mac-latin2'] },
  { name: 'maccyrillic', detectorNames: ['mac-cyrillic'], textDecoder: 'x-mac-cyrillic' },
  { name: 'koi8-r', detectorNames: ['koi8-r'] },
  { name: 'koi8-u', detectorNames: ['koi8-u'] },
  { name: 'shift_jis', detectorNames: ['cp932', 'shift_jis_2004'], isMultiByte: true },
  { name: 'euc-jp', detectorNames: ['euc_jis_2004'], isMultiByte: true },
  { name: 'euc-kr', detectorNames: ['cp949', 'euc-kr'], isMultiByte: true },
  { name: 'gb18030', detectorNames: ['gb18030'], isMultiByte: true },
  { name: 'big5', detectorNames: ['big5hkscs'], isMultiByte: true },
  // Known by their escape sequences.
  { name: 'iso-2022-jp', detectorNames: [], textDecoder: 'iso-2022-jp', isMultiByte: true },
  { name: 'iso-2022-kr', detectorNames: [], isMultiByte: true },
]

/** Other names that servers use. */
const ALIASES: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-11': 'cp874',
  'tis-620': 'cp874',
  'windows-874': 'cp874',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  'windows-31j': 'shift_jis',
  'ks_c_5601-1987': 'euc-kr',
  'big5-hkscs': 'big5',
  macintosh: 'macroman',
  'x-mac-cyrillic': 'maccyrillic',
}

/** Our name of a charset that a server names; undefined for Unicode and unknown ones. */
export function findCharset(declared: string): string | undefined {
  const name = declared
    .toLowerCase()
    .replace(/^(?:cp|ibm)-?(?=125\d$)/, 'windows-')
    .replace(/^ibm/, 'cp')
  const known = ALIASES[name] ?? name
  return byName.has(known) ? known : undefined
}

const byName = new Map(CHARSETS.map((charset) => [charset.name, charset]))

/** Converts bytes to text, chunk by chunk; undefined bytes become U+FFFD. */
export interface CharsetDecoder {
  write(bytes: Uint8Array): string
  end(): string
}

/** @param name of one of `CHARSETS`, or of a Unicode encoding other than UTF-8 */
export function createCharsetDecoder(name: string): CharsetDecoder {
  if (name === 'iso-2022-kr') {
    const decoder = createCharsetDecoder('euc-kr')
    const convert = createIso2022KrConverter()
    return { write: (bytes) => decoder.write(convert(bytes)), end: () => decoder.end() }
  }
  const label = byName.get(name)?.textDecoder
  if (label === undefined) {
    const decoder = iconv.getDecoder(name, { stripBOM: false })
    return {
      write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
      end: () => decoder.end() ?? '',
    }
  }
  const decoder = new TextDecoder(label)
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

/** What each byte stands for, if the charset has one byte for each character. */
export function listCharacters(name: string): string[] | undefined {
  const charset = byName.get(name)
  if (!charset || charset.isMultiByte) return undefined
  return Array.from({ length: 256 }, (_, byte) => decodeText(name, Buffer.of(byte)))
}

export function decodeText(name: string, bytes: Uint8Array): string {
  const decoder = createCharsetDecoder(name)
  return decoder.write(bytes) + decoder.end()
}
