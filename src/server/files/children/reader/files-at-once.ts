import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

import type { WrittenContent } from '../../file-readers'

// Small files, in the thread of the product that only moves bytes: for them, each trip to a thread of the pool takes
// longer than the work there.

/** Reads a file; undefined if it has so many bytes or more. */
export function readAtOnce(path: string, tooManyBytes: number): Buffer | undefined {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size >= tooManyBytes) return undefined
    const content = Buffer.allocUnsafe(size)
    let length = 0
    while (length < size) {
      const bytesRead = readSync(descriptor, content, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return content.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a file, or replaces its content; removes it again if that fails. */
export function writeAtOnce(path: string, chunks: readonly Uint8Array[]): WrittenContent {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const descriptor = openSync(path, 'w', 0o600)
  try {
    for (const chunk of chunks) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      for (let at = 0; at < chunk.byteLength;) at += writeSync(descriptor, chunk, at)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
