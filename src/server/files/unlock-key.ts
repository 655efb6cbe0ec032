import { createPrivateKey, type KeyObject } from 'node:crypto'

import { FileError } from './file-error'

/** A private key of SSH, as it was entered. */
export interface UnlockKeyTask {
  privateKey: string
  passphrase: string
}

const MIN_RSA_BITS = 2_048
const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/**
 * Reads a private key in OpenSSH's format or in PEM, and takes its passphrase away. That takes time: as long as
 * whoever made the key has chosen.
 * @returns it in PEM, or for Ed25519 in OpenSSH's format, which are what can be signed with
 * @throws FileError `bad-key`
 */
export async function unlockKey({ privateKey, passphrase }: UnlockKeyTask): Promise<string> {
  const key = /BEGIN (?:OPENSSH|RSA|EC) PRIVATE/.test(privateKey)
    ? await readSshKey(privateKey, passphrase)
    : readPem(privateKey, passphrase)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key
  if (type === 'ed25519') return toOpenSsh(key)
  if (type === 'ec' && CURVES.has(details.namedCurve ?? '')) {
    return key.export({ type: 'sec1', format: 'pem' })
  }
  if (type !== 'rsa') {
    throw badKey(
      'Only keys of Ed25519, ECDSA and RSA can be used: make another one, with ssh-keygen -t ed25519',
    )
  }
  if ((details.modulusLength ?? 0) < MIN_RSA_BITS) {
    throw badKey(
      `A key of RSA must have ${MIN_RSA_BITS} bits: make another one, with ssh-keygen -t ed25519`,
    )
  }
  return key.export({ type: 'pkcs1', format: 'pem' })
}

async function readSshKey(text: string, passphrase: string): Promise<KeyObject> {
  const { default: ssh } = await import('ssh2')
  const parsed = ssh.utils.parseKey(text, passphrase === '' ? undefined : passphrase)
  if (parsed instanceof Error) throw describe(parsed, passphrase)
  const [key] = [parsed].flat()
  try {
    return createPrivateKey(key?.getPrivatePEM() ?? '')
  } catch (error) {
    throw badKey(DAMAGED, { cause: error })
  }
}

function readPem(key: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key, passphrase })
  } catch (error) {
    throw describe(error as Error, passphrase, key.includes('ENCRYPTED'))
  }
}

const DAMAGED = 'The private key cannot be read: enter its whole file'

function describe(
  error: Error,
  passphrase: string,
  isEncrypted = /passphrase|integrity|decrypt/i.test(error.message),
) {
  if (!isEncrypted) return badKey(DAMAGED, { cause: error })
  return badKey(
    passphrase === ''
      ? 'The private key has a passphrase: enter it too'
      : 'The passphrase does not fit the private key',
    { cause: error },
  )
}

const badKey = (message: string, details?: ErrorOptions) =>
  new FileError('bad-key', message, details)

/** In this format, keys of Ed25519 are two numbers of 32 bytes; the check numbers only tell that a passphrase fits. */
function toOpenSsh(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' }) as { d?: string; x?: string }
  const seed = Buffer.from(d, 'base64url')
  const point = Buffer.from(x, 'base64url')
  const name = field(Buffer.from('ssh-ed25519'))
  const secret = Buffer.concat([
    Buffer.alloc(8),
    name,
    field(point),
    field(Buffer.concat([seed, point])),
    field(Buffer.alloc(0)),
  ])
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (secret.length % 8)) % 8))
  const none = field(Buffer.from('none'))
  const content = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    none,
    none,
    field(Buffer.alloc(0)),
    Buffer.from([0, 0, 0, 1]),
    field(Buffer.concat([name, field(point)])),
    field(Buffer.concat([secret, padding])),
  ])
  const lines = content.toString('base64').match(/.{1,70}/g) ?? []
  return [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    ...lines,
    '-----END OPENSSH PRIVATE KEY-----',
    '',
  ].join('\n')
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
