import { once } from 'node:events'
import { PassThrough } from 'node:stream'

import { ZipFile } from 'yazl'

/** The earliest time that ZIP has: the same bytes for the same content, whenever they are written. */
const OPTIONS = {
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  mode: 0o100_644,
  // Higher levels take nearly twice the time for a tenth less.
  compressionLevel: 4,
} as const

/** Writes a ZIP archive from its first byte to its last, in constant memory. */
export interface ZipOutput {
  /** A part that is known as a whole. */
  add(path: string, text: string): void
  /** Starts a part, after the end of the one before. */
  begin(path: string): void
  /** Writes to the part that was started. Its memory must not be used again. */
  write(bytes: Uint8Array): Promise<void>
  end(): void
  /** Ends the archive, and waits until all of it is written. */
  finish(): Promise<void>
}

export function createZipOutput(write: (chunk: Uint8Array) => Promise<void>): ZipOutput {
  const zip = new ZipFile()
  const passOn = async () => {
    for await (const chunk of zip.outputStream) await write(chunk as Buffer)
  }
  const written = passOn()
  // Told to those who write or finish.
  written.catch(() => undefined)
  let part: PassThrough | undefined
  return {
    add(path, text) {
      zip.addBuffer(Buffer.from(text), path, OPTIONS)
    },
    begin(path) {
      part = new PassThrough()
      zip.addReadStream(part, path, OPTIONS)
    },
    async write(bytes) {
      if (part && !part.write(bytes)) await Promise.race([once(part, 'drain'), written])
    },
    end() {
      part?.end()
      part = undefined
    },
    async finish() {
      zip.end()
      await written
    },
  }
}
