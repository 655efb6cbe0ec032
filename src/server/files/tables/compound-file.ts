import type { RandomAccess } from './archive'
import { encryptedWorkbook } from './workbook'

/** How files of old Office programs begin, and new ones with a password. */
const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
/** Workbooks have few entries, at the beginning of the directory. */
const MAX_SECTORS = 64
const FIRST_SECTOR_LISTS = 109

export const isCompoundFile = (head: Uint8Array): boolean =>
  SIGNATURE.equals(head.subarray(0, SIGNATURE.length))

/** The names in the directory of a compound file, as far as it can be read: `EncryptedPackage`, `Workbook`. */
export async function compoundFileNames({ readAt, sizeBytes }: RandomAccess): Promise<string[]> {
  const header = Buffer.alloc(HEADER_BYTES)
  await readAt(header, 0)
  const shift = header.readUInt16LE(30)
  if (!isCompoundFile(header) || (shift !== 9 && shift !== 12)) return []
  const sectorBytes = 2 ** shift
  const sector = Buffer.alloc(sectorBytes)
  const next = Buffer.alloc(4)
  const names: string[] = []
  let number = header.readUInt32LE(48)
  for (let read = 0; read < MAX_SECTORS; read++) {
    const position = (number + 1) * sectorBytes
    if (position >= sizeBytes || (await readAt(sector, position)) < sectorBytes) break
    for (let at = 0; at < sectorBytes; at += ENTRY_BYTES) {
      const nameBytes = Math.min(sector.readUInt16LE(at + 64), 64)
      if (nameBytes > 2) names.push(sector.toString('utf16le', at, at + nameBytes - 2))
    }
    // The next sector stands in a table of all sectors, whose own sectors the header lists.
    const listed = Math.floor((4 * number) / sectorBytes)
    if (listed >= FIRST_SECTOR_LISTS) break
    const table = (header.readUInt32LE(76 + 4 * listed) + 1) * sectorBytes
    if (table >= sizeBytes || (await readAt(next, table + ((4 * number) % sectorBytes))) < 4) break
    number = next.readUInt32LE(0)
  }
  return names
}

/**
 * For a file that is no archive: workbooks with a password are none.
 * @throws FileError `workbook-encrypted`
 */
export async function refuseEncryptedWorkbook(file: RandomAccess): Promise<void> {
  const names = await compoundFileNames(file)
  if (names.includes('EncryptedPackage')) throw encryptedWorkbook()
}
