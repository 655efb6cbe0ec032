import { build } from 'vite'

/** Output directory of the test programs. */
export const PROGRAMS = 'dist/test-programs'

/**
 * Global setup: bundles the programs that tests start. Tests start hundreds of them, and compiling
 * their modules each time would take longer than running them.
 */
export async function setup(): Promise<void> {
  const names = ['failing-sync', 'failing-backup', 'failing-restore']
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
        input: Object.fromEntries(names.map((name) => [name, `src/server/testing/${name}.ts`])),
      },
    },
  })
}
