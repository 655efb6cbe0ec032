import type { RunFigures } from '../../../../shared/schemas/timeline'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { loadConnection } from '../../catalogue/connections/connections'
import { listFileRuns } from '../../catalogue/connections/sync-runs.queries'

/** As many as a chart can show. */
const MAX_POINTS = 120
const MAX_RUNS = 3_000

/**
 * Returns rows, size and duration of the syncs of a connection that read a whole file, oldest first. Of
 * more than a chart can show, neighbouring ones are one point: that with the fewest rows, so that a file
 * that has shrunk is not lost.
 */
export async function readRunFigures(deps: Deps, actor: Actor, id: number): Promise<RunFigures[]> {
  const connection = await loadConnection(deps.db, actor, id)
  const runs = (await listFileRuns(deps.db, connection.id, MAX_RUNS)).toReversed()
  const perPoint = Math.ceil(runs.length / MAX_POINTS)
  const points: RunFigures[] = []
  for (let start = 0; start < runs.length; start += perPoint) {
    const neighbours = runs.slice(start, start + perPoint)
    const least = neighbours.reduce((a, b) => ((b.rowCount ?? 0) < (a.rowCount ?? 0) ? b : a))
    points.push({
      at: toInstant(least.startedAt),
      rows: least.rowCount ?? 0,
      bytes: least.sizeBytes ?? 0,
      isHeld: least.outcome === 'held',
      durationMs: (least.finishedAt ?? least.startedAt) - least.startedAt,
    })
  }
  return points
}
