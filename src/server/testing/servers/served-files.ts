/** A file at a server in memory; `changedAt` in Unix milliseconds. */
export interface ServedFile {
  content: Buffer
  changedAt: number
  /** Said instead of its size. */
  saidBytes?: number
}

const HOUR_MS = 3_600_000

/** The files of a server, by their paths, with times in whole seconds as servers tell them. */
export function createServedFiles() {
  const files = new Map<string, ServedFile>()
  return {
    files,
    put(
      path: string,
      content: string | Buffer,
      changedAt = Date.now() - HOUR_MS,
      saidBytes?: number,
    ) {
      files.set(path, {
        content: Buffer.from(content),
        changedAt: Math.floor(changedAt / 1_000) * 1_000,
        ...(saidBytes !== undefined && { saidBytes }),
      })
    },
  }
}
