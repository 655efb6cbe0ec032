import type { StoredAuth } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import type { FileServerLogin } from '../../../files/fetch/file-server'
import { FileError } from '../../../files/file-error'
import type { UrlSource } from '../../../files/sources/url-source'
import { SealError } from '../../../secrets/secret-box'
import { openSourceAddress, type SourcePart } from './source-address'
import { sealContextOf, type SourceConfig } from './source-config'

/** One of the sources of a connection, and the supplier it belongs to. */
type OwnedSource = { supplierId: number; config: SourceConfig; part: SourcePart }

/**
 * Returns what is needed to fetch a source, with its secrets decrypted: for the process that reads
 * it, never to be stored or logged.
 * @throws FileError `credentials-unreadable` when a secret cannot be decrypted; the key's id is
 *   logged
 */
export function openSource(deps: Deps, source: OwnedSource): UrlSource {
  const { config } = source
  switch (config.type) {
    case 'URL':
      return {
        type: config.type,
        url: openUrl(deps, source),
        ...openAccess(deps, source),
      }
  }
}

function openUrl(deps: Deps, source: OwnedSource): string {
  try {
    return openSourceAddress(deps.secrets, source)
  } catch (error) {
    throw toFileError(deps, source, { error, what: 'address' })
  }
}

/** What a source is accessed with. */
type Access = Pick<UrlSource, 'credentials' | 's3' | 'server'>

/** A header, the key pair of a bucket, or how we sign in to a server of files; nothing when the source needs none. */
function openAccess(deps: Deps, source: OwnedSource): Access {
  const { auth, transfer } = source.config
  const secret = auth && openSecret(deps, source, auth)
  if (transfer) return { server: { ...transfer, login: auth && toLogin(auth, secret) } }
  return auth && secret !== undefined ? toWebAccess(auth, secret) : {}
}

function openSecret(deps: Deps, source: OwnedSource, { sealed }: StoredAuth): string {
  const { supplierId, config, part } = source
  try {
    return deps.secrets.open(sealed, sealContextOf(supplierId, config.url, part))
  } catch (error) {
    throw toFileError(deps, source, { error, what: 'credentials' })
  }
}

function toLogin(auth: StoredAuth, secret: string | undefined): FileServerLogin | undefined {
  if (auth.type === 'ssh-key') return { username: auth.username, privateKey: secret }
  return auth.type === 'basic' ? { username: auth.username, password: secret } : undefined
}

function toWebAccess(auth: StoredAuth, secret: string): Access {
  switch (auth.type) {
    case 's3': {
      const { accessKeyId, region, endpoint } = auth
      return { s3: { accessKeyId, secretAccessKey: secret, region, endpoint } }
    }
    case 'header':
      return { credentials: { name: auth.name, value: secret } }
    case 'bearer':
      return toAuthorization(`Bearer ${secret}`)
    case 'basic':
      return toAuthorization(
        `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}`,
      )
    case 'ssh-key':
      return {}
  }
}

const toAuthorization = (value: string) => ({ credentials: { name: 'Authorization', value } })

type Unreadable = { error: unknown; what: 'address' | 'credentials' }

function toFileError(deps: Deps, { supplierId, part }: OwnedSource, { error, what }: Unreadable) {
  if (!(error instanceof SealError)) return error
  const { keyId, message } = error
  const subject = what === 'address' ? 'An address' : 'Credentials'
  deps.logger.error({ supplierId, keyId }, `${subject} could not be decrypted: ${message}`)
  return new FileError('credentials-unreadable', describeSealError(error, { what, part }))
}

function describeSealError(
  { keyId, isKeyMissing }: SealError,
  { what, part }: Pick<Unreadable, 'what'> & Pick<OwnedSource, 'part'>,
): string {
  const [were, them] = what === 'address' ? ['was', 'it'] : ['were', 'them']
  const which = part === 'source' ? what : SECOND[what]
  return isKeyMissing
    ? `The ${which} of this connection ${were} saved with another key (id ${keyId}). Enter ${them} again, or ask your administrator to restore that key.`
    : `The ${which} of this connection ${were} damaged. Enter ${them} again.`
}

const SECOND = {
  address: 'second address',
  credentials: 'credentials for the second address',
} as const
