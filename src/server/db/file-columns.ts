/**
 * The columns that name stored files, with those of their sizes: what they name is in backups, and is not removed.
 */
export const FILE_COLUMNS = [
  { table: 'versions', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'versions', sha256: 'keysSha256', sizeBytes: 'keysBytes' },
  { table: 'versions', sha256: 'goneSha256', sizeBytes: 'goneBytes' },
  { table: 'variants', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'receivedFiles', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'mails', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'fileLinks', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'historyFiles', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'mergedFiles', sha256: 'matchingSha256', sizeBytes: 'matchingBytes' },
  { table: 'mergedParts', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'mergedVersions', sha256: 'sha256', sizeBytes: 'sizeBytes' },
  { table: 'mergedVersions', sha256: 'keysSha256', sizeBytes: 'keysBytes' },
  { table: 'mergedVersions', sha256: 'goneSha256', sizeBytes: 'goneBytes' },
  { table: 'mergedVersions', sha256: 'unmatchedSha256', sizeBytes: 'unmatchedBytes' },
  { table: 'mergedOutputs', sha256: 'sha256', sizeBytes: 'sizeBytes' },
] as const
