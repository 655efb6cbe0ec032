import { hasPattern, isFileServerAddress } from '../../../../shared/file-server-address'
import { HOST_KEY_TYPES, showHostKey } from '../../../../shared/host-key'
import { isMasked } from '../../../../shared/masked-address'
import {
  DEFAULT_TRANSFER,
  type Transfer,
  type TransferInput,
} from '../../../../shared/schemas/transfer'
import type { ConnectionRow } from '../../../db/schema'
import { DomainError } from '../../../domain/errors'
import { keyFingerprint } from '../../../files/key-fingerprint'

const PUBLIC_KEY = /(?:^|\s)(\S+) (AAAA[A-Za-z\d+/]+={0,2})/
const FINGERPRINT = /SHA256:[A-Za-z\d+/]{43}/

/**
 * How files are fetched from an address; undefined unless it is of a server of SFTP or FTP.
 * @param known what is stored for the same server
 * @throws DomainError INVALID for a key of a server that cannot be read
 */
export function toTransfer(
  address: string,
  input: TransferInput | undefined,
  { known, fieldPrefix }: { known: Transfer | undefined; fieldPrefix: string },
): Transfer | undefined {
  if (!isFileServerAddress(address)) return undefined
  const { hostKeys, usesTls, allowsOld, afterReading } = input ?? {}
  const before = known ?? DEFAULT_TRANSFER
  const field = `${fieldPrefix}transfer.hostKeys`
  return {
    hostKeys: hostKeys
      ? [...new Set(hostKeys.map((text) => toHostKey(text, field)))]
      : before.hostKeys,
    usesTls: usesTls ?? before.usesTls,
    allowsOld: allowsOld ?? before.allowsOld,
    // Of an address that is sent back masked, nothing else is known.
    hasPattern: isMasked(address) ? before.hasPattern : hasPattern(address),
    afterReading: afterReading ?? before.afterReading,
  }
}

/** A key of a server as it is stored, whichever way it was entered. */
function toHostKey(text: string, field: string): string {
  // Of the lines of known hosts, those with a mark are of keys that are revoked, or that sign others.
  if (text.startsWith('@')) throw unusable(field)
  const [, name = '', base64] = PUBLIC_KEY.exec(text) ?? []
  if (base64 !== undefined) {
    const blob = Buffer.from(base64, 'base64')
    const type = HOST_KEY_TYPES.find((one) => one === name)
    if (!type || !isWholeKey(blob)) throw unusable(field)
    return showHostKey({ type, fingerprint: keyFingerprint(blob) })
  }
  const fingerprint = FINGERPRINT.exec(text)?.[0]
  if (fingerprint === undefined) throw unusable(field)
  return showHostKey({
    type: HOST_KEY_TYPES.find((one) => text.startsWith(`${one} `)),
    fingerprint,
  })
}

/** A public key is a list of parts, each with its length before it; one that was cut when it was copied ends within. */
function isWholeKey(blob: Buffer): boolean {
  let at = 0
  while (at + 4 <= blob.length) at += 4 + blob.readUInt32BE(at)
  return at === blob.length
}

function unusable(field: string): DomainError {
  const why = `Enter a whole key of one of these kinds: ${HOST_KEY_TYPES.join(', ')}`
  return new DomainError('INVALID', why, { field })
}

/** Whether files stay at their server once they were read. */
export const areLeft = ({ config: { transfer } }: Pick<ConnectionRow, 'config'>): boolean =>
  (transfer?.afterReading.action ?? 'leave') === 'leave'
