import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Cleanups } from './cleanups'
import { writeCanonicalFile } from './inventory-file'
import { startLoadGenerator, type LoadGenerator } from './load-generator'
import { startNginx, type Nginx } from './nginx'
import type { Options } from './options'
import { startSource, type Source } from './source'
import { openStage, type Stage } from './stage'

const MB = 1_000_000

/** What the rows share: each thing is made when first asked for, and removed at the end. */
export type Bench = {
  runs: number
  isQuick: boolean
  /** A temporary folder. */
  folder: string
  /** In bytes: of the largest file, and of large ones. Less when quick. */
  sizes: { huge: number; large: number }
  /** How long each measurement of a rate takes. */
  rateSeconds: number
  cleanups: Cleanups
  shared<T>(name: string, make: () => Promise<T>): Promise<T>
  /** A file that is written once. @returns its path */
  file(name: string, write: (path: string) => Promise<void>): Promise<string>
  canonicalFile(sizeBytes: number): Promise<string>
  /** A server of a canonical file, of its own. */
  source(sizeBytes: number): Promise<Source>
  stage(): Promise<Stage>
  load(): Promise<LoadGenerator>
  nginx(): Promise<Nginx>
}

export async function openBench({ runs, isQuick }: Options, cleanups: Cleanups): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-bench-'))
  cleanups.add(() => rm(folder, { recursive: true, force: true }))
  const made = new Map<string, Promise<unknown>>()
  const shared = <T>(name: string, make: () => Promise<T>) => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known as Promise<T>
  }
  const file = (name: string, write: (path: string) => Promise<void>) =>
    shared(`file ${name}`, async () => {
      const path = join(folder, `${name}.csv`)
      await write(path)
      return path
    })
  const canonicalFile = (sizeBytes: number) =>
    file(`canonical-${sizeBytes}`, (path) => writeCanonicalFile(path, sizeBytes))
  return {
    runs,
    isQuick,
    folder,
    sizes: isQuick ? { huge: 100 * MB, large: 20 * MB } : { huge: 1_000 * MB, large: 100 * MB },
    rateSeconds: isQuick ? 1 : 3,
    cleanups,
    shared,
    file,
    canonicalFile,
    source: async (sizeBytes) => startSource(await canonicalFile(sizeBytes), cleanups),
    stage: () => shared('stage', () => openStage(join(folder, 'data'), cleanups)),
    load: () => shared('load', () => startLoadGenerator(cleanups)),
    nginx: () => shared('nginx', () => startNginx(folder, cleanups)),
  }
}
