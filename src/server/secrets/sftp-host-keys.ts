import { HOST_KEY_TYPES, type HostKeyType } from '../../shared/host-key'
import { keyFingerprint } from '../files/key-fingerprint'
import { readOrCreateSecret } from './secret-file'

/** A key by which our SFTP server is known. */
export type SftpHostKey = { type: HostKeyType; fingerprint: string; privateKey: string }

/** Where the keys are: given by the operator, or in a file in which one is generated. */
type KeyPlace = { hostKeys: string | undefined; hostKeyFile: string }

const PRIVATE_KEYS = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----\n[^-]+-----END \1PRIVATE KEY-----/g
const MIN_RSA_BYTES = 256

/**
 * Reads the keys of the SFTP server, or generates one of Ed25519 at the first start.
 * @throws Error for text that is not such keys
 */
export async function readSftpHostKeys({
  hostKeys,
  hostKeyFile,
}: KeyPlace): Promise<SftpHostKey[]> {
  const { default: ssh } = await import('ssh2')
  const make = () => `${ssh.utils.generateKeyPairSync('ed25519').private.trim()}\n`
  const place = hostKeys === undefined ? hostKeyFile : 'SFTP_HOST_KEY'
  const text = hostKeys ?? (await readOrCreateSecret(hostKeyFile, make))
  const found = [...text.matchAll(PRIVATE_KEYS)].map(([key]) => key)
  if (found.length === 0) throw new Error(`${place} holds no private key of SSH`)
  return found.map((privateKey) => {
    const parsed = ssh.utils.parseKey(privateKey)
    if (parsed instanceof Error) {
      throw new Error(`${place} holds a key that cannot be read: ${parsed.message}`)
    }
    const [key] = [parsed].flat()
    const type = HOST_KEY_TYPES.find((one) => one === key?.type)
    if (!key || !type || !key.isPrivateKey()) {
      throw new Error(`${place} holds a key that is not of Ed25519, ECDSA or RSA`)
    }
    const blob = key.getPublicSSH()
    if (type === 'ssh-rsa' && blob.length < MIN_RSA_BYTES) {
      throw new Error(`${place} holds a key of RSA with fewer than 2,048 bits`)
    }
    return { type, fingerprint: keyFingerprint(blob), privateKey }
  })
}
