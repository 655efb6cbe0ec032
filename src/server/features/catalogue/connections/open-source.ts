import type { Deps } from '../../../domain/deps'
import type { SourceCredentials } from '../../../files/fetch/fetch'
import { FileError } from '../../../files/file-error'
import type { S3Access } from '../../../files/sources/s3-source'
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
        ...openCredentials(deps, source),
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

/** The header that carries the credentials, or the key pair of a bucket; neither when the source needs none. */
function openCredentials(
  deps: Deps,
  source: OwnedSource,
): { credentials?: SourceCredentials; s3?: S3Access } {
  const { auth, url } = source.config
  if (!auth) return {}
  try {
    const secret = deps.secrets.open(
      auth.sealed,
      sealContextOf(source.supplierId, url, source.part),
    )
    if (auth.type === 's3') {
      const { accessKeyId, region, endpoint } = auth
      return { s3: { accessKeyId, secretAccessKey: secret, region, endpoint } }
    }
    if (auth.type === 'header') return { credentials: { name: auth.name, value: secret } }
    const value =
      auth.type === 'bearer'
        ? `Bearer ${secret}`
        : `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}`
    return { credentials: { name: 'Authorization', value } }
  } catch (error) {
    throw toFileError(deps, source, { error, what: 'credentials' })
  }
}

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
