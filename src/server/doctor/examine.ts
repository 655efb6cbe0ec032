import { formatFileSize } from '../../shared/format'
import type { Deps } from '../domain/deps'
import { findShortage } from '../domain/disk'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { checkBuckets } from './check-bucket'
import { checkDatabaseServer } from './check-database'
import { checkMetrics } from './check-metrics'
import {
  checkIdentityProvider,
  checkMail,
  checkProxies,
  checkPublicAddress,
  checkRedis,
} from './check-services'
import { explain, type Finding } from './finding'

/** Examines everything that an installation depends on; changes nothing. */
export async function examine(deps: Deps): Promise<Finding[]> {
  const checks = [
    checkDatabaseServer,
    checkFiles,
    checkBuckets,
    checkRedis,
    checkMail,
    checkPublicAddress,
    checkIdentityProvider,
    checkMetrics,
    checkProxies,
  ]
  return (await Promise.all(checks.map((check) => check(deps)))).flat()
}

async function checkFiles(deps: Deps): Promise<Finding[]> {
  const part = 'files'
  const { filesDir } = deps.config
  try {
    await deps.files.check()
    const shortage = await findShortage(deps)
    if (shortage) return [{ part, state: 'problem', text: shortage, advice: 'Make room.' }]
    const { freeBytes } = await deps.files.measureSpace()
    return [{ part, state: 'ok', text: `${filesDir}, ${formatFileSize(freeBytes)} free` }]
  } catch (error) {
    // Told by the examination of the bucket.
    if (error instanceof UnreachableStoreError) return []
    const advice = 'Give the folder to the user that runs the product.'
    return [{ part, state: 'problem', text: `${filesDir}: ${explain(error)}`, advice }]
  }
}
