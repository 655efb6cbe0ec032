// npm run dev: Vite's dev server, which serves the client with reload, and behind it the server with reload.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { OWN_GROUP, WITHOUT_DEBUGGER } from './runtime.mjs'

const HELP = `Starts Vite's dev server, which serves the client, and behind it the server. Both reload what is saved.
Open the address that Vite prints.

Usage: npm run dev [-- OPTIONS]

  --demo     the sample data of npm run demo, in a temporary folder, instead of your data folder
  --inspect  opens the server's debugger on 127.0.0.1:9229
  --help     prints this

The server takes its settings from the environment and .env, as with npm start, but answers on 127.0.0.1
only, at PORT, which is 3000 by default. Without SMTP_URL, mail is printed here and goes nowhere.`

/** On Ctrl-C this process gets the signal from the terminal and from npm: it counts once. */
const SAME_SIGNAL_MS = 500

const OPTIONS = /** @type {const} */ ({
  demo: { type: 'boolean', default: false },
  inspect: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
})
const { demo, inspect, help } = readOptions()
if (help) {
  console.log(HELP)
  process.exit()
}

// Imported dynamically, because runtime.mjs must check the Node version first.
const { createServer } = await import('vite')
const { startDevMail } = await import('./dev-mail.mjs')

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// Before .env, which may be that of an installation.
process.env.NODE_ENV ??= 'development'
loadDotEnv()
const vite = await createServer({ configFile: join(root, 'vite.config.ts') })
await vite.listen()
/** Where Vite passes calls on to; an empty variable is as none, also where .env has one. */
const PROXIED = {
  HOST: '127.0.0.1',
  HOST_FILE: '',
  PORT: process.env.PORT || '3000',
  PORT_FILE: '',
}
const url = new URL(vite.resolvedUrls?.local[0] ?? 'http://localhost:5173/').origin
const mail = await startDevMail((text) => console.log(`\n${text}\n`))
const dataDir = demo ? mkdtempSync(join(tmpdir(), 'stockbridge-dev-')) : undefined

const server = spawn(process.execPath, toArguments(), {
  cwd: root,
  env: {
    PUBLIC_URL: url,
    ...process.env,
    ...PROXIED,
    ...(!(process.env.SMTP_URL || process.env.SMTP_URL_FILE) && {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Stockbridge <dev@localhost>',
    }),
    NODE_OPTIONS: [process.env.NODE_OPTIONS, ...WITHOUT_DEBUGGER].filter(Boolean).join(' '),
  },
  stdio: 'inherit',
  ...OWN_GROUP,
})
vite.printUrls()

// Vite's own listener would end this process before the server.
process.removeAllListeners('SIGTERM')
let signaledAt = -Infinity
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (performance.now() - signaledAt < SAME_SIGNAL_MS) return
    signaledAt = performance.now()
    server.kill(signal)
  })
}
const [code] = await once(server, 'exit')
await Promise.all([vite.close(), mail.close()])
if (dataDir) rmSync(dataDir, { recursive: true, force: true })
process.exit(code ?? 0)

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Vite passes calls on to the PORT that the server has. Variables already set win. */
function loadDotEnv() {
  try {
    process.loadEnvFile(join(root, '.env'))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}

/** Only the server gets the debugger, neither tsx, which restarts it, nor the processes that read files. */
function toArguments() {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const node = ['--clear-screen=false', ...(inspect ? ['--inspect=127.0.0.1:9229'] : [])]
  const program = dataDir
    ? ['scripts/demo.ts', '--data', dataDir, '--url', url, '--smtp', mail.url]
    : ['src/server/start/main.ts']
  return [tsx, 'watch', ...node, ...program]
}
