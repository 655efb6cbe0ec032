import { z } from 'zod'

const FORMAT_VERSION = 1

const storedFileSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().nonnegative(),
})

/**
 * What a backup consists of, and what was found when it was restored on trial. Strict, so that nothing
 * in it is left out of what is signed.
 */
const backupManifestSchema = z.strictObject({
  formatVersion: z.literal(FORMAT_VERSION),
  productVersion: z.string(),
  createdAt: z.iso.datetime(),
  verifiedAt: z.iso.datetime(),
  /** The migrations that had run, in order: the schema of its database. */
  migrations: z.string().array(),
  database: storedFileSchema.extend({ rowCounts: z.record(z.string(), z.number().int()) }),
  files: storedFileSchema.array(),
  /** Of everything above, by the installation that made it. Backups of earlier versions have none. */
  signature: z
    .strictObject({
      keyId: z.string().regex(/^[0-9a-f]{8}$/),
      hmac: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .optional(),
})
export type BackupManifest = z.infer<typeof backupManifestSchema>
/** A manifest as it is drawn up: the rest is stated when the backup has been checked. */
export type BackupContents = Omit<BackupManifest, 'formatVersion' | 'verifiedAt' | 'signature'>

/** A longer one is none of ours: it is read into memory. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024

export function completeManifest(contents: BackupContents, verifiedAt: string): BackupManifest {
  return { formatVersion: FORMAT_VERSION, verifiedAt, ...contents }
}

export function encodeManifest(manifest: BackupManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`
}

/** What a signature is of: everything but itself, in one order and form whatever the file's. */
export function toSignedText(manifest: BackupManifest): string {
  return JSON.stringify({ ...backupManifestSchema.parse(manifest), signature: undefined })
}

/** Reads a manifest, or says why it is none. */
export function parseManifest(text: string): { manifest: BackupManifest } | { problem: string } {
  const json = parseJson(text)
  const parsed = backupManifestSchema.safeParse(json)
  if (parsed.success) return { manifest: parsed.data }
  const version = z.object({ formatVersion: z.number() }).safeParse(json)
  const isNewer = version.success && version.data.formatVersion > FORMAT_VERSION
  return { problem: isNewer ? 'a newer version of the product made it' : 'it has no manifest' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name of the backup that was begun at this instant; names sort by time. */
export function toBackupName(createdAt: string): string {
  return `stockbridge-${createdAt.replaceAll(/[:.]/g, '-')}`
}

export function isBackupName(name: string): boolean {
  return /^stockbridge-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.test(name)
}
