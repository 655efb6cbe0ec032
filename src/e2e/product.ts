import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The built product, in a process of its own, as `npm start` runs it. */
export type Product = {
  url: string
  /** Ends it; resolves with its exit code, null after a signal that it could not handle. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export const ADMIN_PASSWORD = 'admin-password'
const READY = /is ready at (\S+)/

export const makeDataDir = () => mkdtemp(join(tmpdir(), 'stockbridge-e2e-'))
export const removeDataDir = (path: string) => rm(path, { recursive: true, force: true })

/** Starts the product on a free port with the data in `dataDir`, and waits until it is ready. */
export async function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Product> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_PASSWORD,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await waitForUrl(child)
  return {
    url,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit') as Promise<[number | null]>
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

function waitForUrl(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const url = READY.exec(output)?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`The product ended with ${code}:\n${output}`)))
  })
}
