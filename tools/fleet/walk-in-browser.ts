import { spawn } from 'node:child_process'
import { once } from 'node:events'

const TEST = 'src/e2e/screens/main-job.e2e.ts'

/**
 * Runs the browser test of the main job through a fleet.
 * @param url of its load balancer
 * @throws Error when it fails
 */
export async function walkInBrowser(url: string): Promise<void> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', TEST]
  const env = { ...process.env, FLEET_URL: url }
  const child = spawn(process.execPath, vitest, { env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${TEST} failed`)
}
