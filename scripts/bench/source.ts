import type { Cleanups } from './cleanups'
import { startProgram } from './program'
import type { SourceReport } from './programs/file-source'

/** A supplier's server, on a host of its own. */
export type Source = {
  /** Of the file, with other content in each response. */
  url: string
  /** Of the file as it is, which is not sent again to those who have it. */
  unchangedUrl: string
  /** What has been requested since the last report. */
  report(): Promise<SourceReport>
}

/** Starts a server of a file. */
export async function startSource(file: string, cleanups: Cleanups): Promise<Source> {
  const program = await startProgram<'report', SourceReport>('file-source', [file], cleanups)
  const origin = `http://127.0.0.1:${program.port}`
  return {
    url: `${origin}/changing.csv`,
    unchangedUrl: `${origin}/unchanged.csv`,
    report: () => program.ask('report'),
  }
}
