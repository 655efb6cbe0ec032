import type { OfferedBackup } from '../../shared/schemas/setup'
import type { Config } from '../config'
import { findUnknownMigrations } from '../db/migrate'
import { findSecretBoxes, type SecretBox } from '../secrets/secret-box'
import { toBackupName, type BackupManifest } from '../storage/backup-manifest'
import { toBackupSize } from '../storage/backup-parts'
import { checkSignature } from '../storage/backup-signature'
import type { BackupStore } from '../storage/backup-store'
import { withSource } from './restore'
import { readManifest } from './restore-staging'

/** The job keeps about a dozen; people may copy more into the folder. */
const MAX_OFFERED = 500

/** The backups in the folder or the bucket for backups, newest first, with what would keep them from being restored. */
export async function listOffered(config: Config, backups: BackupStore): Promise<OfferedBackup[]> {
  const boxes = await findSecretBoxes(config)
  const found = (await backups.list()).slice(0, MAX_OFFERED)
  return found.map(({ name, manifest, archiveBytes }) => ({
    id: name,
    ...describe(boxes, manifest),
    sizeBytes: archiveBytes,
  }))
}

/**
 * Describes a backup that was sent, by its manifest alone; the rest is checked when it is restored.
 * @throws DomainError INVALID for what is no backup, or one of a newer version
 */
export async function describeSent(
  config: Config,
  path: string,
  id: string,
): Promise<OfferedBackup> {
  const boxes = await findSecretBoxes(config)
  const { manifest, sizeBytes } = await withSource(config, path, readManifest)
  return { id, ...describe(boxes, manifest), sizeBytes: toBackupSize(manifest, sizeBytes) }
}

function describe(boxes: SecretBox[], manifest: BackupManifest) {
  const { createdAt, productVersion, migrations, signature } = manifest
  return {
    name: toBackupName(createdAt),
    createdAt,
    productVersion,
    isNewer: findUnknownMigrations(migrations).length > 0,
    signature: checkSignature(boxes, manifest),
    keyId: signature?.keyId ?? null,
  }
}
