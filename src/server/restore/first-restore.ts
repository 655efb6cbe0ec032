import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { SENT_BACKUP } from '../../shared/constants'
import { formatFileSize } from '../../shared/format'
import type { OfferedBackup, RestoreProgress } from '../../shared/schemas/setup'
import type { Deps } from '../domain/deps'
import { DomainError, toReason } from '../domain/errors'
import { logFailure } from '../domain/log-failure'
import { describeBackupPlace, toRestorable } from '../storage/backup-place'
import { readFreeBytes } from '../storage/free-bytes'
import { fillScratchFile } from '../storage/scratch-file'
import { describeSent, listOffered } from './offered-backups'
import { recordRestored } from './record-restored'
import { explain } from './restore'
import { SPARE_BYTES } from './restore-staging'
import { stageWhileServing, type StagedRestore } from './staged-restore'

/** A larger backup is copied into the folder for backups. */
const MAX_SENT_BYTES = 100 * 1024 ** 3
/** Names no run that lives, so that the clean-up removes what a killed process has left. */
const OWNER = 'set-up'

/** Restores a backup into an installation that nobody has set up yet. */
export type FirstRestore = {
  /** The backups that there are, the one that was sent first, and where the others are. */
  list(): Promise<{ place: string; backups: OfferedBackup[] }>
  /**
   * Takes a backup as a downloaded archive; it replaces one that was sent before.
   * @throws DomainError when it is too large, the disk has no room for it, or it is no backup
   */
  take(sizeBytes: number, body: AsyncIterable<Uint8Array>): Promise<OfferedBackup>
  /**
   * Begins to check and unpack a backup; `progress` tells what becomes of it.
   * @param address the client's address as rate limits count it
   * @throws DomainError NOT_FOUND without that backup; CONFLICT while another one is restored or sent
   */
  start(wanted: { backup: string; isTrusted: boolean; address: string }): Promise<void>
  progress(): RestoreProgress
  /** Removes a backup that was sent, and ends what is under way. */
  close(): Promise<void>
}

/**
 * @param options.problem why the restore before has failed
 * @param options.onStaged receives what is ready to replace the data; returns whether it is to
 */
export function createFirstRestore(
  deps: Deps,
  { problem, onStaged }: { problem: string | undefined; onStaged(staged: StagedRestore): boolean },
): FirstRestore {
  const { config } = deps
  const drafts = join(config.backupsDir, 'drafts')
  const ended = new AbortController()
  let progress: RestoreProgress =
    problem === undefined ? IDLE : { state: 'failed', lines: [], problem }
  let sent: { path: string; backup: OfferedBackup } | undefined
  let isTaking = false
  let work: Promise<void> | undefined

  const removeSent = async () => {
    if (sent) await rm(sent.path, { force: true })
    sent = undefined
  }
  const requireIdle = () => {
    if (progress.state === 'running')
      throw new DomainError('CONFLICT', 'A backup is being restored')
    if (isTaking) throw new DomainError('CONFLICT', 'Another backup is being sent')
  }

  async function stage(file: string, isTrusted: boolean, address: string): Promise<void> {
    const lines: string[] = []
    progress = { state: 'running', lines, problem: null }
    try {
      const staged = await stageWhileServing(config, file, {
        isTrusted,
        now: deps.clock.now(),
        signal: ended.signal,
        report: (line) => void lines.push(line),
        record: (path, backup) =>
          recordRestored(path, deps, { token: randomUUID(), backup, by: null, address }),
      })
      lines.push('Putting it into place')
      await removeSent()
      if (!onStaged(staged)) await staged.discard()
    } catch (error) {
      if (!ended.signal.aborted) logFailure(deps.logger, error, 'A backup could not be restored')
      progress = { state: 'failed', lines, problem: toReason(error) }
    }
  }

  return {
    async list() {
      const stored = await listOffered(config, deps.backups).catch(throwExplained)
      const backups = sent ? [sent.backup, ...stored] : stored
      return { place: describeBackupPlace(config), backups }
    },
    async take(sizeBytes, body) {
      requireIdle()
      isTaking = true
      try {
        await removeSent()
        await mkdir(drafts, { recursive: true, mode: 0o700 })
        await requireRoom(drafts, sizeBytes)
        const path = join(drafts, `${OWNER}.${randomUUID()}.tar`)
        await fillScratchFile(path, body).catch(throwExplained)
        try {
          sent = { path, backup: await describeSent(config, path, SENT_BACKUP) }
          return sent.backup
        } catch (error) {
          await rm(path, { force: true })
          throw explain(error)
        }
      } finally {
        isTaking = false
      }
    },
    async start({ backup, isTrusted, address }) {
      requireIdle()
      const file = backup === SENT_BACKUP ? sent?.path : await findStored(deps, backup)
      requireIdle()
      if (file === undefined)
        throw new DomainError('NOT_FOUND', 'This backup is not there any more')
      work = stage(file, isTrusted, address)
    },
    progress: () => progress,
    async close() {
      ended.abort(new Error('The set-up has ended'))
      await work
      await removeSent()
    },
  }
}

const IDLE: RestoreProgress = { state: 'idle', lines: [], problem: null }

async function findStored({ config, backups }: Deps, name: string): Promise<string | undefined> {
  const found = await backups.find(name).catch(throwExplained)
  return found && toRestorable(config, found.name)
}

async function requireRoom(folder: string, sizeBytes: number): Promise<void> {
  if (sizeBytes > MAX_SENT_BYTES) {
    const most = formatFileSize(MAX_SENT_BYTES, 0)
    const message = `A backup can be sent up to ${most}. Copy a larger one into ${dirname(folder)}.`
    throw new DomainError('TOO_LARGE', message)
  }
  const free = (await readFreeBytes(folder)) - SPARE_BYTES
  if (free >= sizeBytes) return
  const [needed, left] = [sizeBytes, Math.max(free, 0)].map((bytes) => formatFileSize(bytes, 0))
  throw new DomainError('UNAVAILABLE', `The backup has ${needed}, and ${left} are free on the disk`)
}

function throwExplained(error: unknown): never {
  throw explain(error)
}
