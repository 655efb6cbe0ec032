import type { Config } from '../../../config'
import { DERIVED_SHARE } from '../stored-files/storage-usage'

/** What the versions of one merged file, and the files of links to it, may take each. */
export const toMergedLimit = ({ maxStoragePerSupplierBytes }: Config): number =>
  Math.floor(maxStoragePerSupplierBytes * DERIVED_SHARE)
