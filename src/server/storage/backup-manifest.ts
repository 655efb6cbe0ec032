import { z } from 'zod'

const FORMAT_VERSION = 1

const storedFileSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().nonnegative(),
})

/** What a backup consists of, and what was found when it was restored on trial. */
const backupManifestSchema = z.object({
  formatVersion: z.literal(FORMAT_VERSION),
  productVersion: z.string(),
  createdAt: z.iso.datetime(),
  verifiedAt: z.iso.datetime(),
  /** The migrations that had run, in order: the schema of its database. */
  migrations: z.string().array(),
  database: storedFileSchema.extend({ rowCounts: z.record(z.string(), z.number().int()) }),
  files: storedFileSchema.array(),
})
export type BackupManifest = z.infer<typeof backupManifestSchema>
/** A manifest as it is drawn up: format and verification are stated when it is published. */
export type BackupContents = Omit<BackupManifest, 'formatVersion' | 'verifiedAt'>

/** A longer one is none of ours: it is read into memory. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024

export function encodeManifest(contents: BackupContents, verifiedAt: string): string {
  const manifest: BackupManifest = { formatVersion: FORMAT_VERSION, verifiedAt, ...contents }
  return `${JSON.stringify(manifest, null, 1)}\n`
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
