import { parse } from 'node:path'

import { build } from 'vite'

/** Output directory of the test programs. */
export const PROGRAMS = 'dist/test-programs'

const SOURCES = [
  'src/server/testing/stages/failing-sync.ts',
  'src/server/testing/stages/failing-mail.ts',
  'src/server/testing/stages/failing-file-mail.ts',
  'src/server/testing/stages/failing-sending.ts',
  'src/server/testing/stages/failing-backup.ts',
  'src/server/testing/stages/failing-restore.ts',
  'src/server/testing/stages/failing-staged-restore.ts',
  'src/server/testing/stages/failing-running-restore.ts',
  'src/server/testing/stages/failing-drill.ts',
  'src/server/testing/suites/hostile/hostile-child.ts',
  'src/server/testing/suites/hostile/reader-of-hostile-children.ts',
  'src/server/db/sqlite/sql-worker.mjs',
  'src/server/db/sqlite/checkpoint-worker.mjs',
  'src/server/restore/prepare-worker.ts',
  'src/server/storage/s3/measure-worker.ts',
]

/**
 * Global setup: bundles the programs that tests start. Tests start hundreds of them, and compiling
 * their modules each time would take longer than running them.
 */
export async function setup(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { external: true },
    build: {
      ssr: true,
      outDir: PROGRAMS,
      copyPublicDir: false,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(SOURCES.map((path) => [parse(path).name, path])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
