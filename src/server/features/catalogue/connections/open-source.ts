import type { StoredAuth, StoredConfig } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import type { FileServerLogin } from '../../../files/fetch/file-server'
import { FileError } from '../../../files/file-error'
import type { UrlSource } from '../../../files/sources/url-source'
import { SealError } from '../../../secrets/secret-box'
import { openConfigAddress, type SourcePart, sourceOwner } from './source-address'
import { sealContextOf, type SourceConfig } from './source-config'

/** One of the sources of a connection, and the supplier it belongs to. */
type OwnedSource = { supplierId: number; config: SourceConfig; part: SourcePart }

/**
 * Returns what is needed to fetch a source, with its secrets decrypted: for the process that reads
 * it, never to be stored or logged.
 * @throws FileError `credentials-unreadable` when a secret cannot be decrypted; the key's id is
 *   logged
 */
export function openSource(deps: Deps, { supplierId, config, part }: OwnedSource): UrlSource {
  const second = part === 'source' ? {} : SECOND
  const told = { of: 'connection', ...second, log: { supplierId } }
  return {
    type: config.type,
    ...openConfig(deps, config, { owner: sourceOwner(supplierId, part), told }),
  }
}

const SECOND = { address: 'second address', credentials: 'credentials for the second address' }

/** Whose secrets they are, and how they are called when they cannot be read. */
type OwnedConfig = {
  owner: string
  told: { of: string; address?: string; credentials?: string; log: object }
}

/** Returns an address that people have entered, and what opens it: as `openSource`. */
export function openConfig(deps: Deps, config: StoredConfig, owned: OwnedConfig) {
  return { url: openUrl(deps, config, owned), ...openAccess(deps, config, owned) }
}

function openUrl(deps: Deps, config: StoredConfig, owned: OwnedConfig): string {
  try {
    return openConfigAddress(deps.secrets, { owner: owned.owner, config })
  } catch (error) {
    throw toFileError(deps, owned, { error, what: 'address' })
  }
}

/** What a source is accessed with. */
type Access = Pick<UrlSource, 'credentials' | 's3' | 'server'>

/** A header, the key pair of a bucket, or how we sign in to a server of files; nothing when the address needs none. */
function openAccess(deps: Deps, config: StoredConfig, owned: OwnedConfig): Access {
  const { auth, transfer, url } = config
  const secret = auth && openSecret(deps, { sealed: auth.sealed, url }, owned)
  if (transfer) return { server: { ...transfer, login: auth && toLogin(auth, secret) } }
  return auth && secret !== undefined ? toWebAccess(auth, secret) : {}
}

function openSecret(
  deps: Deps,
  { sealed, url }: { sealed: string; url: string },
  owned: OwnedConfig,
): string {
  try {
    return deps.secrets.open(sealed, sealContextOf(owned.owner, url))
  } catch (error) {
    throw toFileError(deps, owned, { error, what: 'credentials' })
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

function toFileError(deps: Deps, { told }: OwnedConfig, { error, what }: Unreadable) {
  if (!(error instanceof SealError)) return error
  const { keyId, message } = error
  const subject = what === 'address' ? 'An address' : 'Credentials'
  deps.logger.error({ ...told.log, keyId }, `${subject} could not be decrypted: ${message}`)
  return new FileError('credentials-unreadable', describeSealError(error, { what, told }))
}

function describeSealError(
  { keyId, isKeyMissing }: SealError,
  { what, told }: Pick<Unreadable, 'what'> & Pick<OwnedConfig, 'told'>,
): string {
  const [were, them] = what === 'address' ? ['was', 'it'] : ['were', 'them']
  const which = told[what] ?? what
  return isKeyMissing
    ? `The ${which} of this ${told.of} ${were} saved with another key (id ${keyId}). Enter ${them} again, or ask your administrator to restore that key.`
    : `The ${which} of this ${told.of} ${were} damaged. Enter ${them} again.`
}
