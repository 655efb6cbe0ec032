/** Returns false if a file or folder does not exist; rethrows other errors. */
export function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error
  return false
}
