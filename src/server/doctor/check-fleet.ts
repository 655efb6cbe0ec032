import type { Deps } from '../domain/deps'
import { describeVersions, isMixed, listRunning } from '../features/operations/system/processes'
import type { Finding } from './finding'

/** Whether processes of several versions run; nothing if all are of one, as far as they have said so. */
export async function checkFleet(deps: Pick<Deps, 'db' | 'clock'>): Promise<Finding[]> {
  // What is wrong with the database is told by its own check.
  const running = await listRunning(deps).catch(() => [])
  if (!isMixed(running)) return []
  const text = `Processes of several versions run: ${describeVersions(running)}`
  const advice = 'Update the others, or wait if an update goes on. Migrations only go forward.'
  return [{ part: 'versions', state: 'warning', text, advice }]
}
