import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

import react from '@vitejs/plugin-react'
import mantinePreset from 'postcss-preset-mantine'
import type { Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'

import {
  builtRevision,
  compressFiles,
  nameBuild,
  namePageFiles,
  publishBuild,
} from './scripts/builds.mjs'
import { nameChunks } from './scripts/chunk-groups.mjs'
import { commonPasswords } from './scripts/common-passwords.mjs'
import { cutFonts } from './scripts/fonts.mjs'
import { thirdPartyNotices } from './scripts/notices.mjs'
import { writeSignInPage } from './scripts/sign-in-page.mjs'

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const build = nameBuild(fromRoot('dist'))

/** What the server side of the build offers to `scripts/run.mjs`, by name. */
const serverEntries = {
  main: 'src/server/start/main.ts',
  web: 'src/server/start/web.ts',
  worker: 'src/server/start/worker.ts',
  health: 'src/server/start/health.ts',
  fetcher: 'src/server/files/children/fetcher/fetcher.ts',
  reader: 'src/server/files/children/reader/reader.ts',
  inbox: 'src/server/start/inbox.ts',
  'inbox-child': 'src/server/inbox/inbox.ts',
  'readers-thread': 'src/server/files/children/readers-thread.ts',
  'child-confinement': 'src/server/files/children/confine.mjs',
  'sql-worker': 'src/server/db/sqlite/sql-worker.mjs',
  'checkpoint-worker': 'src/server/db/sqlite/checkpoint-worker.mjs',
  'prepare-worker': 'src/server/restore/prepare-worker.ts',
  'measure-worker': 'src/server/storage/s3/measure-worker.ts',
  'seed-suppliers': 'scripts/seed-suppliers.ts',
  'create-admin': 'scripts/create-admin.ts',
  migrate: 'scripts/migrate.ts',
  'upgrade-check': 'scripts/upgrade-check.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  doctor: 'scripts/doctor.ts',
  reseal: 'scripts/reseal.ts',
  demo: 'scripts/demo.ts',
}

const chunksOf = (built: unknown) =>
  (built as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk')

const SERVER = `http://127.0.0.1:${process.env.PORT || 3000}`
/** What the server answers itself in development; `scripts/dev-proxy.test.ts` compares it with the routes. */
const SERVER_PATHS = [
  '^/(?:api|trpc|feeds|files|inbox|unsubscribe)/',
  '^/(?:healthz|readyz)(?:[/?]|$)',
]

/** The whole server: over HTTP, restored, or beside other servers. */
const INTEGRATION = [
  'src/server/{api,http,restore,testing,trpc}/**/*.test.ts',
  'src/server/**/*.redis.test.ts',
]
/** Patterns of test files that are left out of a run. */
const excluded = (process.env.TEST_EXCLUDE ?? '').split(' ').filter(Boolean)

/** The one process test that runs alone. */
const MEMORY_TEST = 'src/e2e/processes/memory.full.e2e.ts'

/** More than the processors of a small machine: much of the time, tests wait. */
const UNIT_WORKERS = 3
/** Tests allocate much that is soon garbage: with more space for it, V8 collects it less often. */
const SPACE_FOR_SHORT_LIVED = '--max-semi-space-size=64'

/** How tests of the server run. */
const ON_SERVER = {
  environment: 'node',
  // Each test opens what it needs and closes it; importing the server for each file would take longer than
  // the tests.
  isolate: false,
  maxWorkers: UNIT_WORKERS,
  execArgv: [SPACE_FOR_SHORT_LIVED],
  // A test that hangs is to fail, one on a busy machine is not.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  root: fromRoot('src/client'),
  plugins: [
    react(),
    commonPasswords(),
    thirdPartyNotices(fromRoot('.')),
    builtRevision(fromRoot('.')),
  ],
  builder: {
    async buildApp(builder) {
      const { draft, client, forms, server } = builder.environments
      if (!draft || !client || !forms || !server) throw new Error('An environment is missing')
      const chunkNames = nameChunks(fromRoot('src/client'), chunksOf(await builder.build(draft)))
      client.config.build.rolldownOptions.output = {
        codeSplitting: {
          groups: [{ name: (id) => chunkNames.get(id) ?? null }],
          // Each file needs only those that are named before it.
          includeDependenciesRecursively: false,
        },
      }
      await builder.build(client)
      await builder.build(server)
      namePageFiles(`${build}/client`)
      await builder.build(forms)
      const prerender = pathToFileURL(`${build}/forms/prerender.js`)
      await writeSignInPage(`${build}/client`, await import(prerender.href))
      rmSync(`${build}/forms`, { recursive: true })
      await cutFonts(`${build}/client/assets`)
      compressFiles(`${build}/client`)
      // By which scripts/run.mjs finds that other packages are installed than those that were built in.
      copyFileSync(fromRoot('package-lock.json'), `${build}/package-lock.json`)
      publishBuild(build)
    },
  },
  // On a slow machine, times say nothing about the build, and the first start prints what it does.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  environments: {
    draft: { consumer: 'client', build: { write: false } },
    client: {
      build: {
        outDir: `${build}/client`,
        emptyOutDir: true,
        manifest: true,
        // One file instead of forty; `first-load.e2e.ts` has its limit.
        chunkSizeWarningLimit: 600,
      },
    },
    // Run by the build only.
    forms: {
      consumer: 'server',
      resolve: { external: true },
      build: {
        outDir: `${build}/forms`,
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: fromRoot('src/client/prerender.tsx'),
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    server: {
      consumer: 'server',
      resolve: { external: true },
      build: {
        outDir: `${build}/server`,
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node22',
        minify: false,
        sourcemap: true,
        rolldownOptions: {
          input: Object.fromEntries(
            Object.entries(serverEntries).map(([name, path]) => [name, fromRoot(path)]),
          ),
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
  css: { postcss: { plugins: [mantinePreset()] } },
  server: {
    port: 5173,
    proxy: {
      ...Object.fromEntries(SERVER_PATHS.map((path) => [path, SERVER])),
      // The page is at the address that files, and the form of the page, are sent to.
      '^/(?:upload/|auth(?:[?]|$))': {
        target: SERVER,
        bypass: ({ method }) => (method === 'GET' ? '/index.html' : undefined),
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        root: fromRoot('.'),
        test: {
          ...ON_SERVER,
          name: 'server',
          include: [
            'src/*.test.ts',
            'src/{server,shared}/**/*.test.ts',
            '{scripts,tools,deploy}/**/*.test.ts',
          ],
          exclude: ['**/*.{postgres,s3}.test.ts', ...INTEGRATION, ...excluded],
        },
      },
      {
        extends: true,
        root: fromRoot('.'),
        test: {
          ...ON_SERVER,
          name: 'integration',
          include: INTEGRATION,
          exclude: ['**/*.{postgres,s3}.test.ts', ...excluded],
        },
      },
      {
        extends: true,
        root: fromRoot('.'),
        test: {
          ...ON_SERVER,
          name: 'postgres',
          // Everything that uses a database, once more on PostgreSQL.
          include: [
            'src/server/{api,db,doctor,domain,features,http,identity,restore,trpc}/**/*.test.ts',
            'src/server/testing/suites/{access-matrix,hostile,over-http}/*.test.ts',
            'src/server/testing/suites/{audited-mutations,live-topics,upstream-faults}.test.ts',
          ],
          exclude: ['**/*.{redis,s3}.test.ts', ...excluded],
          globalSetup: [fromRoot('src/server/testing/stages/postgres-setup.ts')],
        },
      },
      {
        extends: true,
        root: fromRoot('.'),
        test: {
          ...ON_SERVER,
          name: 's3',
          include: ['src/server/**/*.s3.test.ts'],
          globalSetup: [fromRoot('src/server/testing/stages/s3-setup.ts')],
        },
      },
      {
        extends: true,
        root: fromRoot('.'),
        test: {
          name: 'client',
          environment: 'jsdom',
          include: ['src/client/**/*.test.{ts,tsx}'],
          isolate: false,
          maxWorkers: UNIT_WORKERS,
          setupFiles: [fromRoot('src/client/testing/setup.ts')],
          // Dates and numbers are in the locale of the browser.
          env: { LC_ALL: 'en_US.UTF-8' },
          // Node's own localStorage would hide jsdom's.
          execArgv: process.allowedNodeEnvironmentFlags.has('--webstorage')
            ? [SPACE_FOR_SHORT_LIVED, '--no-webstorage']
            : [SPACE_FOR_SHORT_LIVED],
          testTimeout: 60_000,
        },
      },
      {
        root: fromRoot('.'),
        test: {
          name: 'browser',
          environment: 'node',
          include: ['src/e2e/screens/*.e2e.ts'],
          exclude: excluded,
          globalSetup: [fromRoot('src/e2e/support/current-build.ts')],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // As long as playwright waits for an element.
          expect: { poll: { timeout: 30_000 } },
          // A file has a product and a browser of its own; importing playwright for each takes seconds.
          isolate: false,
          // The product and the browser wait for each other in turn.
          maxWorkers: 3,
        },
      },
      {
        root: fromRoot('.'),
        test: {
          name: 'growth',
          environment: 'node',
          // Apart from the others: beside them, a measurement is repeated until it is not disturbed.
          include: ['src/server/testing/suites/growth/*.e2e.ts'],
          // Each has a process of its own.
          maxConcurrency: 2,
        },
      },
      {
        root: fromRoot('.'),
        test: {
          name: 'memory',
          environment: 'node',
          // Apart from the others: beside them, a preview of a large workbook takes longer than it may.
          include: [MEMORY_TEST],
          exclude: excluded,
          globalSetup: [fromRoot('src/e2e/support/current-build.ts')],
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
      {
        root: fromRoot('.'),
        test: {
          name: 'processes',
          environment: 'node',
          include: ['src/e2e/processes/*.e2e.ts'],
          exclude: [...excluded, MEMORY_TEST],
          globalSetup: [
            'src/e2e/support/current-build.ts',
            'src/e2e/processes/bundle-programs.ts',
          ].map(fromRoot),
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
          // A file starts programs of its own; importing the server for each takes seconds.
          isolate: false,
          // They wait for leases and graces most of their time.
          maxWorkers: 5,
        },
      },
    ],
  },
})
