import type { RunFigures } from '../../../shared/schemas/timeline'
import type { TrendPoint } from '../../components/chart/trend-plot'

/** A figure of runs as points of a chart, in which held files stand beside the line. */
export const toPoints = (
  runs: readonly RunFigures[],
  read: (run: RunFigures) => number,
): TrendPoint[] =>
  runs.map((run) => ({ at: run.at, value: read(run), apart: run.isHeld ? 'held' : undefined }))
