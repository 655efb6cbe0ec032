import type { Cleanups } from './cleanups'
import { startProgram } from './program'
import type { SourceReport } from './programs/file-source'

/** A supplier's server, on a host of its own. */
export type Source = {
  /** Of the file, with other content in each response. */
  url: string
  /** Of the file as it is, which is not sent again to those who have it. */
  unchangedUrl: string
  /** The port of all its addresses: 127.0.0.1, 127.0.0.2 and so on. */
  port: number
  /** What has been requested since the last report. */
  report(): Promise<SourceReport>
}

/**
 * Starts a server of a file.
 * @param addresses those of loopback that it listens on
 */
export async function startSource(
  file: string,
  cleanups: Cleanups,
  addresses = 1,
): Promise<Source> {
  const args = [file, String(addresses)]
  const program = await startProgram<'report', SourceReport>('file-source', args, cleanups)
  const origin = `http://127.0.0.1:${program.port}`
  return {
    url: `${origin}/changing.csv`,
    unchangedUrl: `${origin}/unchanged.csv`,
    port: program.port,
    report: () => program.ask('report'),
  }
}
