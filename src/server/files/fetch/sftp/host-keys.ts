import {
  HOST_KEY_TYPES,
  type HostKey,
  type HostKeyType,
  readHostKey,
  showHostKey,
} from '../../../../shared/host-key'
import { FileError } from '../../file-error'

/** The kinds of keys to ask a server for: those that are known of it, one attempt after the other. */
export function toAttempts(pins: readonly string[]): HostKeyType[][] {
  const known = pins.map(readHostKey).filter((key) => key !== undefined)
  if (known.length === 0) return [[...HOST_KEY_TYPES]]
  const types = new Set(known.map(({ type }) => type))
  if (!types.has(undefined)) return [HOST_KEY_TYPES.filter((type) => types.has(type))]
  // A fingerprint alone does not tell whose kind it is: a server shows the first that it is asked for.
  return [['ssh-ed25519'], HOST_KEY_TYPES.filter((type) => type.startsWith('ecdsa-')), ['ssh-rsa']]
}

/** @throws FileError unless the key is one of those that were confirmed */
export function requireConfirmed(shown: HostKey, pins: readonly string[]): void {
  const known = pins.map(readHostKey).filter((key) => key !== undefined)
  if (known.some(({ fingerprint }) => fingerprint === shown.fingerprint)) return
  throw known.length === 0 ? unconfirmed(shown) : changed(shown, known)
}

/** The error for a server that has no key of the kinds by which it is known. */
export function otherKinds(pins: readonly string[], details: ErrorOptions): FileError {
  return new FileError(
    'host-key-changed',
    `The server has no key of a confirmed kind any more: ${pins.join(', ')}. Ask its operator for the new one. To see it, remove those that are confirmed from the settings of the connection and open the preview. ${NOTHING_SENT}`,
    details,
  )
}

const NOTHING_SENT = 'Neither user name nor password was sent.'

function unconfirmed(shown: HostKey): FileError {
  const hostKey = showHostKey(shown)
  return new FileError(
    'host-key-unknown',
    `The server shows the key ${hostKey}, which nobody has confirmed. Compare it with the one that its operator publishes, and confirm it in the settings of the connection. ${NOTHING_SENT}`,
    { hostKey },
  )
}

function changed(shown: HostKey, known: readonly HostKey[]): FileError {
  const hostKey = showHostKey(shown)
  const sameType = known.filter(({ type }) => type === shown.type)
  const before = (sameType.length > 0 ? sameType : known).map(({ fingerprint }) => fingerprint)
  return new FileError(
    'host-key-changed',
    `The server shows another key than the confirmed one: ${hostKey} instead of ${before.join(', ')}. It may have been set up anew, or somebody is in between: ask its operator, and confirm the new key in the settings of the connection. ${NOTHING_SENT}`,
    { hostKey },
  )
}
