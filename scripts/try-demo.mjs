// Starts the demo, signs in, waits until its file is published, and downloads what a retailer gets. For systems on
// which the process tests do not run: it needs nothing but what npm ci installs.
import './runtime.mjs'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const READY = /ready at (http:\/\/\S+)/
const PASSWORD = 'demo-demo'
const LOOK_EVERY_MS = 500

/** Builds first, if that is needed. @returns {Promise<string>} the address */
function waitUntilReady() {
  let output = ''
  return new Promise((resolve, reject) => {
    demo.stdout.on('data', (chunk) => {
      output += chunk
      const address = READY.exec(output)?.[1]
      if (address) resolve(address)
    })
    demo.once('close', () => reject(new Error(`The demo has ended: ${output}`)))
  })
}

/**
 * Signs in, and returns a function that reads a path with that session.
 * @param {string} address @param {string} username
 */
async function signIn(address, username) {
  const response = await fetch(new URL('/api/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`${username} cannot sign in: ${await response.text()}`)
  const cookie = response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
  /** @param {string} path */
  return async (path) => {
    const answer = await fetch(new URL(path, address), { headers: { cookie } })
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}`)
    return answer
  }
}

/** @param {(path: string) => Promise<Response>} read */
async function waitUntilPublished(read) {
  for (;;) {
    const [connection] = await (await read('/api/connections')).json()
    if (connection.status === 'synced') return
    if (connection.lastError) throw new Error(connection.lastError)
    await sleep(LOOK_EVERY_MS)
  }
}

const demo = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'demo'], {
  env: { ...process.env, HOST: '127.0.0.1', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const address = await waitUntilReady()
  await waitUntilPublished(await signIn(address, 'northbeck'))
  const read = await signIn(address, 'summit')
  const [retailer] = await (await read('/api/retailers')).json()
  const { downloadUrl } = await (await read(`/api/retailers/${retailer.id}/latest-file`)).json()
  const rows = (await (await read(downloadUrl)).text()).trim().split('\n')
  process.stdout.write(`A retailer gets ${rows.length} lines, on Node ${process.version}\n`)
} finally {
  demo.kill()
}
