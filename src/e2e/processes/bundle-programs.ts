import { build } from 'vite'

/** Where the programs below are, each under its own name. */
export const PROGRAMS = 'dist/test-programs'

/**
 * Bundles the programs that tests start, before the first of them runs: hundreds of them are started,
 * and compiling their modules each time would take longer than what they do.
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
