import { MINUTE_MS } from '../../../../shared/durations'
import type { StoredVariant } from '../variants/variants.queries'
import type { FileShares, SharedFile } from './file-shares'
import { MAX_VARIANTS_PER_VERSION, sumCopies, type StorageUsage } from './storage-usage'

/**
 * Files built or downloaded within this time stay: otherwise they would evict each other in turn.
 */
const MIN_STAY_MS = MINUTE_MS
/** As many files that its settings do not lead to any more may stay for a retailer in that time. */
const MAX_OUTDATED = 8

/**
 * Selects filtered files and compressed copies until those of a connection are within their limits: those
 * of retailers that take more than their share first. Files that retailers read are refused only to
 * retailers that take more than their share, the one that is asked for last before the one that they have.
 * @param wanted the file to be built next: for a retailer within its share, files that have just been
 *   built for others make room
 */
export function removeSurplus(
  usage: StorageUsage,
  shares: FileShares,
  { now, wanted }: { now: number; wanted: SharedFile | undefined },
): void {
  countAll(usage, shares)
  const makesRoom = wanted !== undefined && !shares.isOver(wanted)
  const drop = (variant: StoredVariant) => {
    usage.removeVariant(variant)
    shares.add(variant, -variant.sizeBytes)
  }
  const variants = usage.variants()
  const isSettled = ({ usedAt }: StoredVariant) => usedAt <= now - MIN_STAY_MS || usedAt > now
  const outdated = variants.filter((variant) => !shares.isNeeded(variant))
  const read = variants.filter(shares.isNeeded)
  for (const variant of [...outdated, ...read].filter(isSettled)) {
    if (usage.countVariants(variant.versionId) > MAX_VARIANTS_PER_VERSION) drop(variant)
  }
  removeCopies(usage, shares)
  const whileOver = (items: StoredVariant[], isMeant: (item: StoredVariant) => boolean) => {
    for (const item of items) if (usage.exceedsLimits() && isMeant(item)) drop(item)
  }
  if (makesRoom) whileOver(listMany(outdated), () => true)
  whileOver(outdated, (variant) => isSettled(variant) && shares.isOver(variant))
  whileOver(outdated, isSettled)
  if (makesRoom) whileOver(outdated, shares.isOver)
  refuse(usage, shares, read, makesRoom)
}

function countAll(usage: StorageUsage, shares: FileShares): void {
  const byHash = new Map<string, StoredVariant>()
  for (const variant of usage.variants()) {
    shares.add(variant, variant.sizeBytes)
    byHash.set(variant.sha256, variant)
  }
  for (const file of usage.compressed()) {
    const source = byHash.get(file.sha256)
    if (source) shares.add(source, sumCopies(file))
  }
}

/** Copies are made again when there is room; without one a file is sent as it is. */
function removeCopies(usage: StorageUsage, shares: FileShares): void {
  const byHash = new Map(usage.variants().map((variant) => [variant.sha256, variant]))
  const isOver = (sha256: string) => {
    const source = byHash.get(sha256)
    return source !== undefined && shares.isOver(source)
  }
  const files = usage.compressed()
  const first = files.filter(({ sha256 }) => isOver(sha256))
  for (const file of new Set([...first, ...files])) {
    if (!usage.exceedsDerived()) return
    usage.removeCopies(file)
    const source = byHash.get(file.sha256)
    if (source) shares.add(source, -sumCopies(file))
  }
}

/** The oldest of more outdated files than one retailer may have. */
function listMany(outdated: StoredVariant[]): StoredVariant[] {
  const counts = new Map<number, number>()
  return outdated.toReversed().filter(({ requestedBy }) => {
    if (requestedBy === null) return false
    const count = (counts.get(requestedBy) ?? 0) + 1
    counts.set(requestedBy, count)
    return count > MAX_OUTDATED
  })
}

/**
 * Files that retailers read are dropped or refused last, and only to retailers that take more than their
 * share: those that were built ahead, then what was asked for last. A file takes the place of its
 * retailers' files of older versions if it has room then; otherwise it is refused, and they keep those.
 */
function refuse(
  usage: StorageUsage,
  shares: FileShares,
  read: StoredVariant[],
  makesRoom: boolean,
): void {
  const order = read.toSorted(
    (one, other) =>
      Number(one.requestedBy !== null) - Number(other.requestedBy !== null) ||
      other.versionId - one.versionId ||
      Number(shares.isOtherForm(other)) - Number(shares.isOtherForm(one)) ||
      other.id - one.id,
  )
  for (const variant of order) {
    const left = new Set(usage.variants())
    const kept = read.filter((other) => left.has(other))
    // Outdated files that have just been built make room within a minute.
    const isFull = makesRoom || sumBytes(kept) > usage.derivedLimit
    // One filtered file is always allowed, however small the quota.
    if (!isFull || !usage.exceedsDerived() || left.size <= 1) return
    if (!left.has(variant) || !shares.isOver(variant)) continue
    const isOlder = (other: StoredVariant) =>
      other.versionId < variant.versionId && shares.isOf(other, variant)
    const older = kept.filter(isOlder)
    const excess = usage.derivedBytes() - usage.derivedLimit
    const hasRoomThen = sumBytes(older) >= excess || older.length === left.size - 1
    const isAsked = variant.requestedBy !== null
    const dropped = isAsked && older.length > 0 && hasRoomThen ? older : [variant]
    for (const file of dropped) {
      if (isAsked && file === variant) usage.refuseVariant(file)
      else usage.removeVariant(file)
      shares.add(file, -file.sizeBytes)
    }
  }
}

const sumBytes = (files: StoredVariant[]) =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
