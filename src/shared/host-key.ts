/** The kinds of keys by which servers of SSH are known, as their public keys begin. */
export const HOST_KEY_TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const
export type HostKeyType = (typeof HOST_KEY_TYPES)[number]

/** A key of a server, told by its fingerprint. */
export interface HostKey {
  /** Undefined if only the fingerprint is known. */
  type: HostKeyType | undefined
  /** `SHA256:` and 43 characters, as OpenSSH shows it. */
  fingerprint: string
}

const TYPED = /^(?:(\S+) )?(SHA256:[A-Za-z\d+/]{43})$/

/** Reads a key as it is stored: `ssh-ed25519 SHA256:…`, or the fingerprint alone. */
export function readHostKey(text: string): HostKey | undefined {
  const [, type, fingerprint] = TYPED.exec(text) ?? []
  if (fingerprint === undefined) return undefined
  if (type === undefined) return { type, fingerprint }
  const known = HOST_KEY_TYPES.find((one) => one === type)
  return known && { type: known, fingerprint }
}

/** As it is stored. */
export const showHostKey = ({ type, fingerprint }: HostKey): string =>
  type === undefined ? fingerprint : `${type} ${fingerprint}`
