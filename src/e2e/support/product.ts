import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Reading } from './page'

/** A running process of the built product: web, worker or inbox. */
export type Product = {
  /** Base URL; for a worker or an inbox, of its health endpoints. */
  url: string
  pid: number
  /** Standard output so far. */
  output(): Reading<string>
  /** Its exit code, once it has ended; null when a signal such as SIGKILL ended it. */
  exited: Promise<number | null>
  /** Sends a signal and does not wait. */
  signal(name: NodeJS.Signals): void
  /** Stops it. Resolves with its exit code; null when a signal such as SIGKILL ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export const ADMIN_PASSWORD = 'admin-password'
const READY = /is ready[^]*?(https?:\/\/[^/\s]+)/
const ASKING = /Set up .*? at (https?:\/\/[^\s,]+)[^]*\n/

export const makeDataDir = () => mkdtemp(join(tmpdir(), 'stockbridge-e2e-'))
export const removeDataDir = (path: string) => rm(path, { recursive: true, force: true })

/**
 * Starts the product on a free port with the data in `dataDir`, and waits until it is ready.
 * @param program arguments for Node, to run another program than that of the current build
 */
export function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
  ...program: string[]
): Promise<Product> {
  const command = program.length > 0 ? program : ['scripts/run.mjs', 'main']
  return startProgram(command, { PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD, ...env })
}

/** Starts a worker on the data in `dataDir`, and waits until it is ready. */
export function startWorker(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  return startProgram(['scripts/run.mjs', 'worker'], {
    WORKER_PORT: '0',
    DATA_DIR: dataDir,
    ...env,
  })
}

/** Starts an inbox on the data in `dataDir`, and waits until it is ready. */
export function startInbox(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  return startProgram(['scripts/run.mjs', 'inbox'], { INBOX_PORT: '0', DATA_DIR: dataDir, ...env })
}

/**
 * Starts the product without an administrator, and waits until it asks to be set up in the browser.
 * @returns with the address that it printed, as the URL
 */
export function startUnset(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const unset = { PORT: '0', DATA_DIR: dataDir, SETUP: 'browser', ADMIN_PASSWORD: '', ...env }
  return startProgram(['scripts/run.mjs', 'main'], unset, ASKING)
}

async function startProgram(
  command: string[],
  env: Record<string, string>,
  pattern = READY,
): Promise<Product> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, NODE_ENV: 'production', MIN_FREE_BYTES: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = await waitForUrl(child, pattern)
  return {
    url,
    pid: child.pid ?? 0,
    output: async () => output,
    exited: exited.then(([code]) => code),
    signal: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** Resolves with the URL that a program prints when it is ready. */
export function waitForUrl(child: ChildProcess, pattern = READY): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const url = pattern.exec(output)?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    // `close` instead of `exit`, which may come before the last output.
    child.once('close', (code) => reject(new Error(`The product ended with ${code}:\n${output}`)))
  })
}
