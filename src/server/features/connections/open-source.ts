import type { Deps } from '../../domain/deps'
import { FeedError } from '../../feed/feed-error'
import type { SourceCredentials } from '../../feed/fetch/fetch'
import type { FeedSource } from '../../feed/sources/open-csv'
import { SealError } from '../../secrets/secret-box'
import { sealContextOf, type SourceConfig } from './source-config'

/** A source, and whose it is. */
type OwnedSource = { supplierId: number; config: SourceConfig }

/**
 * What it takes to reach a source, with its secrets in the clear: for the process that reads it, and
 * never to be stored or logged.
 * @throws FeedError `credentials-unreadable`; the administrator finds the key's id in the log
 */
export function openSource(deps: Deps, source: OwnedSource): FeedSource {
  const { config } = source
  switch (config.type) {
    case 'URL':
      return { type: config.type, url: config.url, credentials: openCredentials(deps, source) }
  }
}

/** The header that lets us in; undefined where none is needed. */
function openCredentials(deps: Deps, source: OwnedSource): SourceCredentials | undefined {
  const { auth, url } = source.config
  if (!auth) return undefined
  try {
    const secret = deps.secrets.open(auth.sealed, sealContextOf(source.supplierId, url))
    if (auth.type === 'header') return { name: auth.name, value: secret }
    const value =
      auth.type === 'bearer'
        ? `Bearer ${secret}`
        : `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}`
    return { name: 'Authorization', value }
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    const { keyId, message } = error
    deps.logger.error({ supplierId: source.supplierId, keyId }, `Credentials unread: ${message}`)
    throw new FeedError('credentials-unreadable', describeSealError(error))
  }
}

function describeSealError({ keyId, isKeyMissing }: SealError): string {
  return isKeyMissing
    ? `The credentials of this connection were saved with another key (id ${keyId}). Enter them again, or ask your administrator to bring that key back.`
    : 'The credentials of this connection were damaged. Enter them again.'
}
