/** The file as a whole cannot be read; the message is for the operator. */
export class SeedFileError extends Error {}

const SAVE_AS = 'save it as "CSV UTF-8"'

/**
 * Decodes a file as spreadsheets save it: UTF-8, with or without a byte order mark, or UTF-16 with one.
 * @throws SeedFileError for anything else: a wrong guess would change names
 */
export function decodeSeedFile(bytes: Buffer): string {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    throw new SeedFileError(`This is a workbook, not a text file: ${SAVE_AS}`)
  }
  const encoding = { '\xFF\xFE': 'utf-16le', '\xFE\xFF': 'utf-16be' }[
    bytes.subarray(0, 2).toString('latin1')
  ]
  const text = decode(bytes, encoding ?? 'utf-8')
  if (text === undefined || text.includes('\0')) {
    throw new SeedFileError(`This is not UTF-8: ${SAVE_AS}`)
  }
  return text
}

function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
