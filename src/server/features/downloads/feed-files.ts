import { rememberUnchanged } from '../../db/remember-unchanged'
import type { Deps } from '../../domain/deps'
import { hashSecretToken } from '../../domain/secret-token'
import { openFeedFile, type FeedFile } from './feed-file'

/** In some ten megabytes; the end of an address takes effect within a second. */
const LIMITS = { max: 10_000, maxAgeMs: 1_000 }

/**
 * Returns a function that opens files as `openFeedFile` does, and remembers them as long as nothing in
 * the database has changed: shops that ask again and again are answered without reading a table.
 */
export function createFeedFiles(
  deps: Deps,
): (token: string, isNdjson: boolean) => Promise<FeedFile> {
  const open = (isNdjson: boolean) =>
    rememberUnchanged(deps, LIMITS, (tokenHash) => openFeedFile(deps, tokenHash, isNdjson))
  const [openCsv, openNdjson] = [open(false), open(true)]
  return (token, isNdjson) => (isNdjson ? openNdjson : openCsv)(hashSecretToken(token))
}
