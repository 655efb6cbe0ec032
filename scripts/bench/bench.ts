import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Cleanups } from './cleanups'
import { startLoadGenerator, type LoadGenerator } from './load-generator'
import { startNginx, type Nginx } from './nginx'
import type { Options } from './options'
import { openStage, type Stage } from './stage'

const MB = 1_000_000

/** What the rows share: started when first used, stopped at the end. */
export type Bench = {
  runs: number
  isQuick: boolean
  /** A temporary folder of its own. */
  folder: string
  /** Of the largest files, and of large ones, in bytes; smaller when quick. */
  sizes: { huge: number; large: number }
  /** How long each measurement of a rate takes. */
  rateSeconds: number
  cleanups: Cleanups
  stage(): Promise<Stage>
  load(): Promise<LoadGenerator>
  nginx(): Promise<Nginx>
}

export async function openBench({ runs, isQuick }: Options, cleanups: Cleanups): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-bench-'))
  cleanups.add(() => rm(folder, { recursive: true, force: true }))
  return {
    runs,
    isQuick,
    folder,
    sizes: isQuick ? { huge: 100 * MB, large: 20 * MB } : { huge: 1_000 * MB, large: 100 * MB },
    rateSeconds: isQuick ? 1 : 3,
    cleanups,
    stage: once(() => openStage(folder, cleanups)),
    load: once(() => startLoadGenerator(cleanups)),
    nginx: once(() => startNginx(folder, cleanups)),
  }
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => (opened ??= open())
}
