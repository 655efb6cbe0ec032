import { until } from './rest-client'
import type { Stage, Supplier } from './stage'

/** Syncs a supplier's only connection with a file that must be held, and waits until it is. */
export async function holdFile(
  { sourceServer }: Stage,
  { rest }: Supplier,
  { id, path, body }: { id: number; path: string; body: string },
): Promise<void> {
  sourceServer.set(path, { body })
  await rest.send('POST', `/api/connections/${id}/sync`)
  await until(
    async () => (await rest.send('GET', '/api/connections')).text,
    (text) => text.includes('"held"'),
  )
}
