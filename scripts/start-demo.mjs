import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const READY = /ready at (http:\/\/\S+)/

/** Of all users of the demo. */
export const DEMO_PASSWORD = 'demo-demo'

/**
 * Starts the demo on a free port. Builds first, if that is needed.
 * @param {Record<string, string>} [environment] variables besides those of this process
 * @param {AbortSignal} [signal] ends the wait for its address
 */
export function startDemo(environment = {}, signal) {
  const demo = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'demo'], {
    cwd: root,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  /** @type {Promise<string>} */
  const address = new Promise((resolve, reject) => {
    demo.stdout.on('data', (chunk) => {
      output += chunk
      const ready = READY.exec(output)?.[1]
      if (ready) resolve(ready)
    })
    demo.once('close', () => reject(new Error(`The demo has ended: ${output}`)))
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
  return { demo, address }
}
