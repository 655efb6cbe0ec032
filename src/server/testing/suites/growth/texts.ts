/** Makes a text of about `size` characters that is slow for a careless pattern or loop. */
export type Text = (size: number) => string

/** Pieces to repeat, by what they look like. */
export const PIECES = {
  headers: ['@.', 'a@', 'a@a.', '_', 'Name '],
  quotes: ['"', '""', '","', "'", '“'],
  separators: [',', ';', '|', '\t', '~', ' ', '\u00A0', '\n', '\r\n', '\r'],
  paths: ['a>', ' > a', 'a/', '» ', '>', '../../', '\\'],
  lists: ['a,', 'a;b|', ', ', '|'],
  numbers: ['1', '1.', '1,', "1'", '1 ', '-', '+', '12,345', '0.0', '1e', '9%'],
  dates: ['12/', '1-1-', '2024-01-01 ', 'T12:00', ':00', 'Mon, ', '(', 'GMT+'],
  addresses: ['1.', '255.', '::', 'ffff:', '[', '0x7f.', '%', '::1.2.3.4', '/8'],
  urls: ['a.', 'http://', 'http://a.', 'a:1', '/?#', '%41', 'ü.', 'xn--a.', 'é', '漢', 'ß'],
  json: ['[', '{"a":', '"a":1,', '\\u0041', '{}', 'null,'],
  markup: ['<', '<!--', '<a ', '<a>', '--', '&', '<html ', '/>'],
  letters: [
    'x',
    'İ',
    'Σ',
    'e\u0301',
    '\u0301',
    'ﬃ',
    '한',
    '😀',
    '\uD800',
    '\u0000',
    '\u202E',
    '\uFEFF',
  ],
}

/** A suffix makes patterns fail at the very end. */
const repeated = (piece: string): Text => {
  return (size) => flat(`${piece.repeat(Math.ceil(size / piece.length))} x!`)
}

/** Flattens a concatenated string now, so that its first reader is not charged for it. */
function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)

/** Distinct names with a separator between them. */
const distinct = (separator: string): Text => {
  return (size) => flat(words(Math.ceil(size / (7 + separator.length))).join(separator))
}

/** The same names forwards, backwards and forwards again. */
const mirrored: Text = (size) => {
  const names = words(Math.ceil(size / 24))
  return flat([...names, ...names.toReversed(), ...names].join(','))
}

export const TEXTS: Readonly<Record<string, Text>> = {
  ...Object.fromEntries(
    Object.entries(PIECES).flatMap(([kind, pieces]) =>
      pieces.map((piece) => [`${kind} ${JSON.stringify(piece)}`, repeated(piece)]),
    ),
  ),
  ...Object.fromEntries(
    [',', ';', '|', '>', '/', ' ', '\n', '"'].map((separator) => [
      `distinct names between ${JSON.stringify(separator)}`,
      distinct(separator),
    ]),
  ),
  'names forwards and backwards': mirrored,
}

/** One of each kind. */
export const FEW_TEXTS: Readonly<Record<string, Text>> = {
  ...Object.fromEntries(
    Object.entries(PIECES).map(([kind, [piece = '']]) => [kind, repeated(piece)]),
  ),
  'distinct names': distinct(','),
}
