import { z } from 'zod'

import type { StoredFile } from './file-store'

const FORMAT_VERSION = 1

const storedFileSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().nonnegative(),
})

/** A list of files, as a file of its own. */
const fileListSchema = storedFileSchema.extend({
  fileCount: z.number().int().nonnegative(),
  /** What its files take in an archive. */
  archiveBytes: z.number().int().nonnegative(),
})
export type FileList = z.infer<typeof fileListSchema>

const DIGITS = '0123456789abcdef'.split('')
/**
 * The lists of a backup with many files: each has the files whose hashes begin with its two digits. Those with the same
 * first digit are read from a database together.
 */
export const LIST_PREFIX_GROUPS = DIGITS.map((first) => DIGITS.map((second) => first + second))
export const LIST_PREFIXES = LIST_PREFIX_GROUPS.flat()

/**
 * What a backup consists of, as verified by a trial restore. The schema is strict, so that the
 * signature covers every field.
 */
const backupManifestSchema = z
  .strictObject({
    formatVersion: z.literal(FORMAT_VERSION),
    productVersion: z.string(),
    createdAt: z.iso.datetime(),
    verifiedAt: z.iso.datetime(),
    /** The migrations that had run on its database, in order. */
    migrations: z.string().array(),
    database: storedFileSchema.extend({ rowCounts: z.record(z.string(), z.number().int()) }),
    files: storedFileSchema.array(),
    /** Has the files of a backup that has more than MAX_FILES_IN_MANIFEST: one for each of LIST_PREFIXES, in their order. */
    fileLists: fileListSchema.array().length(LIST_PREFIXES.length).optional(),
    /** Covers everything above; made by the installation. Backups of earlier versions have none. */
    signature: z
      .strictObject({
        keyId: z.string().regex(/^[0-9a-f]{8}$/),
        hmac: z.string().regex(/^[0-9a-f]{64}$/),
      })
      .optional(),
  })
  .refine(({ files, fileLists }) => fileLists === undefined || files.length === 0)
export type BackupManifest = z.infer<typeof backupManifestSchema>
/** The part of a manifest that is known before the backup has been verified. */
export type BackupContents = Omit<BackupManifest, 'formatVersion' | 'verifiedAt' | 'signature'>

/** Manifests are read into memory; a longer one is not ours. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
/** Lists of files too, one at a time. */
export const MAX_FILE_LIST_BYTES = 32 * 1024 * 1024
/** A file takes fewer bytes in a manifest, and in a list. */
const MOST_BYTES_OF_FILE = 128
/** A backup with more has lists, which earlier versions do not restore. */
export const MAX_FILES_IN_MANIFEST = MAX_MANIFEST_BYTES / MOST_BYTES_OF_FILE
/** More would be in a backup that no restore reads. */
export const MAX_FILES_IN_LIST = MAX_FILE_LIST_BYTES / MOST_BYTES_OF_FILE

export function completeManifest(contents: BackupContents, verifiedAt: string): BackupManifest {
  return { formatVersion: FORMAT_VERSION, verifiedAt, ...contents }
}

export function encodeManifest(manifest: BackupManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`
}

/** The text that is signed: the manifest without its signature, as JSON in a fixed field order. */
export function toSignedText(manifest: BackupManifest): string {
  return JSON.stringify({ ...backupManifestSchema.parse(manifest), signature: undefined })
}

/** Parses a manifest; `problem` says why the text is not a valid one. */
export function parseManifest(text: string): { manifest: BackupManifest } | { problem: string } {
  const json = parseJson(text)
  const parsed = backupManifestSchema.safeParse(json)
  if (parsed.success) return { manifest: parsed.data }
  const version = z.object({ formatVersion: z.number() }).safeParse(json)
  const isNewer = version.success && version.data.formatVersion > FORMAT_VERSION
  return { problem: isNewer ? 'a newer version of the product made it' : 'it has no manifest' }
}

export const encodeFileList = (files: readonly StoredFile[]) => `${JSON.stringify(files)}\n`

/** Returns undefined for a text that is not the list of these files. */
export function parseFileList(text: string, prefix: string): StoredFile[] | undefined {
  const parsed = storedFileSchema.array().safeParse(parseJson(text))
  return parsed.data?.every(({ sha256 }) => sha256.startsWith(prefix)) ? parsed.data : undefined
}

/** How many files a backup has. */
export const countFiles = ({
  files,
  fileLists = [],
}: Pick<BackupManifest, 'files' | 'fileLists'>) =>
  fileLists.reduce((sum, { fileCount }) => sum + fileCount, files.length)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name of the backup that was started at this time; names sort by time. */
export function toBackupName(createdAt: string): string {
  return `stockbridge-${createdAt.replaceAll(/[:.]/g, '-')}`
}

const NAME = /^stockbridge-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/

export function isBackupName(name: string): boolean {
  return NAME.test(name)
}

/** When the backup of this name was started, in Unix milliseconds; NaN for another name. */
export function toBackupTime(name: string): number {
  return Date.parse(name.replace(NAME, '$1T$2:$3:$4.$5Z'))
}
