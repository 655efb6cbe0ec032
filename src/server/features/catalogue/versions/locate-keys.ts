import type { VersionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { KeyedPaths } from '../../../files/file-readers'

/** Finds the paths of a stored file and its key file; null without one. */
export async function locateKeys(
  { files }: Deps,
  { sha256, keysSha256, keysBytes }: Pick<VersionRow, 'sha256' | 'keysSha256' | 'keysBytes'>,
): Promise<KeyedPaths | null> {
  if (keysSha256 === null || keysBytes === null) return null
  return { file: await files.locate(sha256), keys: await files.locate(keysSha256), keysBytes }
}
