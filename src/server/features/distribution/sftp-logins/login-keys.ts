import { createPublicKey, type KeyObject } from 'node:crypto'

import { MAX_KEY_LINE_LENGTH, type LoginKey } from '../../../../shared/schemas/sftp-login'
import { DomainError } from '../../../domain/errors'
import { toBlob, toKeyObject } from '../../../domain/ssh-public-key'
import { describePublicKey } from '../../../files/key-fingerprint'

const MIN_RSA_BITS = 2_048
/** Signatures of larger ones take too long to verify. */
const MAX_RSA_BITS = 8_192
const MAX_COMMENT_LENGTH = 100

/**
 * Reads public keys as people paste them: lines as in `authorized_keys`, the form of RFC 4716, or PEM.
 * @returns a line for each, as it is stored
 * @throws DomainError INVALID for what is no such key, and for what must not be sent at all
 */
export function readLoginKeys(text: string): string[] {
  requireNoPrivateKey(text)
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.some((line) => line.length > MAX_KEY_LINE_LENGTH)) {
    throw invalid('A line is too long for a public key')
  }
  const stored: string[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!.trim()
    const end = ENDS.get(line)
    if (end !== undefined) {
      const last = lines.findIndex((other, at) => at > index && other.trim() === end)
      if (last === -1) throw invalid(`A key begins that does not end: enter it up to ${end}`)
      stored.push(readBlock(line, lines.slice(index + 1, last)))
      index = last
    } else if (line !== '' && !line.startsWith('#')) {
      stored.push(readLine(line))
    }
  }
  return stored
}

/** What is shown of a stored key. */
export function toLoginKey(line: string): LoginKey[] {
  const [, base64 = '', ...comment] = line.split(' ')
  const key = describePublicKey(Buffer.from(base64, 'base64'))
  return key ? [{ ...key, comment: comment.join(' ') }] : []
}

const SSH2_BEGIN = '---- BEGIN SSH2 PUBLIC KEY ----'
/** The first lines of blocks, and their last ones. */
const ENDS = new Map([
  [SSH2_BEGIN, '---- END SSH2 PUBLIC KEY ----'],
  ...['PUBLIC KEY', 'RSA PUBLIC KEY'].map(
    (name) => [`-----BEGIN ${name}-----`, `-----END ${name}-----`] as const,
  ),
])

const PRIVATE =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY|PuTTY-User-Key-File|BEGIN SSH2 ENCRYPTED PRIVATE/

function requireNoPrivateKey(text: string): void {
  if (!PRIVATE.test(text)) return
  throw invalid(
    'This is a private key, which nobody else should have: it was not stored. Enter the public one, from the file that ends in .pub; PuTTYgen shows it at the top',
  )
}

function readBlock(begin: string, lines: string[]): string {
  if (begin !== SSH2_BEGIN) return readPem(begin, lines)
  const { comment, base64 } = readSsh2(lines)
  return toStored(Buffer.from(base64, 'base64'), comment)
}

function readPem(begin: string, lines: string[]): string {
  try {
    const key = createPublicKey([begin, ...lines, ENDS.get(begin)].join('\n'))
    return toStored(toBlob(key), '')
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw invalid(DAMAGED)
  }
}

/** Headers stand before the key; a line that ends in a backslash goes on. */
function readSsh2(lines: string[]): { comment: string; base64: string } {
  let comment = ''
  let base64 = ''
  for (let index = 0; index < lines.length; index += 1) {
    let line = lines[index]!.trim()
    if (!line.includes(':')) {
      base64 += line
      continue
    }
    while (line.endsWith('\\') && index + 1 < lines.length) {
      index += 1
      line = line.slice(0, -1) + lines[index]!.trim()
    }
    const colon = line.indexOf(':')
    if (line.slice(0, colon).toLowerCase() !== 'comment') continue
    comment = line
      .slice(colon + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
  }
  return { comment, base64 }
}

function readLine(line: string): string {
  const [kind = '', base64 = '', ...comment] = line.split(/[ \t]+/)
  if (!/^(?:ssh-|ecdsa-|sk-)[\w@.-]+$/.test(kind)) {
    throw invalid(
      / (?:ssh-|ecdsa-|sk-)/.test(line)
        ? 'Options before a key have no effect here: enter the key alone, from ssh- or ecdsa- on'
        : DAMAGED,
    )
  }
  if (kind.includes('-cert-')) {
    throw invalid('This is a certificate: enter the public key that it was made for')
  }
  if (kind.startsWith('sk-') || kind === 'ssh-dss') throw invalid(OTHER_KIND)
  const blob = Buffer.from(base64, 'base64')
  if (describePublicKey(blob)?.type !== kind) throw invalid(DAMAGED)
  return toStored(blob, comment.join(' '))
}

const DAMAGED =
  'This is not a public key: enter a whole line such as ssh-ed25519 AAAA…, from the file that ends in .pub'
const OTHER_KIND =
  'Only keys of Ed25519, ECDSA and RSA can be used: make another one, with ssh-keygen -t ed25519'

function toStored(blob: Buffer | undefined, comment: string): string {
  const known = blob && describePublicKey(blob)
  if (!known) throw invalid(OTHER_KIND)
  const key = toKeyObject(blob!)
  if (!key) throw invalid(DAMAGED)
  requireStrength(key)
  const name = comment.replaceAll(/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu, '').trim()
  return [known.type, blob!.toString('base64'), name.slice(0, MAX_COMMENT_LENGTH)].join(' ').trim()
}

function requireStrength({ asymmetricKeyDetails: details = {} }: KeyObject): void {
  const { modulusLength: bits } = details
  if (bits === undefined) return
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
    throw invalid(
      `A key of RSA must have 2,048 to 8,192 bits: make another one, with ssh-keygen -t ed25519`,
    )
  }
}

const invalid = (message: string) => new DomainError('INVALID', message, { field: 'addKeys' })
