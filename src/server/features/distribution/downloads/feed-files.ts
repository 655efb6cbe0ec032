import { rememberUnchanged } from '../../../db/queries-kit/remember-unchanged'
import type { Deps } from '../../../domain/deps'
import { hashSecretToken } from '../../../domain/secret-token'
import { openFeedFile, type FeedFile, type FeedRequest } from './feed-file'

/** In some ten megabytes; the end of an address takes effect within a second. */
const LIMITS = { max: 10_000, maxAgeMs: 1_000 }

/**
 * Returns a function that opens files as `openFeedFile` does, and remembers them as long as nothing in
 * the database has changed: shops that ask again and again are answered without reading a table.
 */
export function createFeedFiles(
  deps: Deps,
): (token: string, request: FeedRequest) => Promise<FeedFile> {
  const open = rememberUnchanged(deps, LIMITS, (key) => {
    const [tokenHash = '', format, since = ''] = key.split(' ')
    const request = { isNdjson: format === 'json', since: since === '' ? null : since }
    return openFeedFile(deps, tokenHash, request)
  })
  return (token, { isNdjson, since }) =>
    open([hashSecretToken(token), isNdjson ? 'json' : 'csv', since ?? ''].join(' '))
}
