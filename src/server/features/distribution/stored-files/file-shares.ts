import type { StoredVariant } from '../variants/variants.queries'
import { toVariantKey, type Readers } from './variant-pruning'

/** A filtered file, stored or to be built. */
export type SharedFile = Pick<StoredVariant, 'versionId' | 'viewKey' | 'requestedBy'>

/** What each of a supplier's retailers takes of the room for filtered files. */
export interface FileShares {
  /** Counts bytes of a file for those who read it, in equal parts, or else for who asked for it. */
  add(file: SharedFile, bytes: number): void
  /** Whether all whose file it is take more than their share. Files of nobody are over no share. */
  isOver(file: SharedFile): boolean
  /** Whether all whose file it is have this other one as well. */
  isOf(file: SharedFile, other: SharedFile): boolean
  isNeeded(file: SharedFile): boolean
  /** Whether it is read in another form than its own, which its readers have as well. */
  isOtherForm(file: SharedFile): boolean
}

/**
 * @param needed the readers of each file that retailers' settings lead to
 * @param shareBytes what each retailer is granted, whatever others take
 */
export function createFileShares(needed: Map<string, Readers>, shareBytes: number): FileShares {
  const taken = new Map<number, number>()
  const readersOf = (file: SharedFile) => needed.get(toVariantKey(file))
  const ownersOf = (file: SharedFile): readonly number[] =>
    readersOf(file)?.retailerIds ?? (file.requestedBy === null ? [] : [file.requestedBy])
  return {
    add(file, bytes) {
      const owners = ownersOf(file)
      for (const owner of owners) {
        taken.set(owner, (taken.get(owner) ?? 0) + bytes / owners.length)
      }
    },
    isOver(file) {
      const owners = ownersOf(file)
      return owners.length > 0 && owners.every((owner) => (taken.get(owner) ?? 0) > shareBytes)
    },
    isOf(file, other) {
      const owners = new Set(ownersOf(other))
      return ownersOf(file).every((owner) => owners.has(owner))
    },
    isNeeded: (file) => readersOf(file) !== undefined,
    isOtherForm: (file) => readersOf(file)?.isOtherForm ?? false,
  }
}
