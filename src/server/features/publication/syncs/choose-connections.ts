import type { Db } from '../../../db/open'
import { readHost } from '../../../domain/source-host'
import {
  listLeasedConnections,
  type eachDueConnection,
} from '../../catalogue/connections/connections.queries'
import { COUNTED_MS, MAX_REQUESTS_PER_HOST, toCountedWindow } from './host-gate'
import { listHostRequestCounts } from './host-requests.queries'

/** Returns the ids of the first `limit` connections whose hosts may get another request. */
export async function chooseConnections(
  db: Db,
  now: number,
  connections: ReturnType<typeof eachDueConnection>,
  limit: number,
): Promise<number[]> {
  const load = await readHostLoad(db, now)
  const chosen: number[] = []
  for await (const connection of connections) {
    if (chosen.length >= limit) break
    const host = readHost(connection)
    const requests = load.get(host) ?? 0
    if (requests >= MAX_REQUESTS_PER_HOST) continue
    load.set(host, requests + 1)
    chosen.push(connection.id)
  }
  return chosen
}

/**
 * Counts the requests that each host has or is about to get. A run's request may be counted twice,
 * as a row and as its connection's lease, so the greater of the two numbers is used.
 */
async function readHostLoad(db: Db, now: number): Promise<Map<string, number>> {
  const expected = new Map<string, number>()
  for (const connection of await listLeasedConnections(db, now, now - COUNTED_MS)) {
    const host = readHost(connection)
    expected.set(host, (expected.get(host) ?? 0) + 1)
  }
  for (const { host, count } of await listHostRequestCounts(db, toCountedWindow(now))) {
    expected.set(host, Math.max(expected.get(host) ?? 0, count))
  }
  return expected
}
