import { startProduct, type Product } from '../../src/e2e/support/product'
import type { Cleanups } from './cleanups'
import { openPeople, type People } from './people'

const GB = 1_000_000_000

/** The built product, started as users start it. */
export type Stage = People & { product: Product; dataDir: string }

/** What differs from the defaults: size limits, limits of calls, and requests are not logged. */
const ENVIRONMENT = {
  FETCH_ALLOW: '127.0.0.1',
  MAX_FILE_BYTES: `${2 * GB}`,
  MAX_STORAGE_PER_SUPPLIER: `${3 * GB}`,
  CALL_LIMITS: 'off',
  LOG_LEVEL: 'warn',
}

/** @param env settings that differ as well */
export async function openStage(
  dataDir: string,
  cleanups: Cleanups,
  env: Record<string, string> = {},
): Promise<Stage> {
  const product = await startProduct(dataDir, { ...ENVIRONMENT, ...env })
  cleanups.add(() => product.stop())
  return { product, dataDir, ...(await openPeople(product.url)) }
}
