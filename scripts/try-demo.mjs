// Starts the demo, signs in, waits until its file is published, and downloads what a retailer gets. For systems on
// which the process tests do not run: it needs nothing but what npm ci installs.
import './runtime.mjs'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { DEMO_PASSWORD, startDemo } from './start-demo.mjs'

const LOOK_EVERY_MS = 500
/** For all of it, a build included. */
const WITHIN_MS = 10 * 60_000
/** More than the 35 s that the product takes at most. */
const STOP_WITHIN_MS = 60_000
const deadline = AbortSignal.timeout(WITHIN_MS)

/**
 * Signs in, and returns a function that reads a path with that session.
 * @param {string} address @param {string} username
 */
async function signIn(address, username) {
  const response = await fetch(new URL('/api/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: DEMO_PASSWORD }),
    signal: deadline,
  })
  if (!response.ok) throw new Error(`${username} cannot sign in: ${await response.text()}`)
  const cookie = response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
  /** @param {string} path */
  return async (path) => {
    const answer = await fetch(new URL(path, address), { headers: { cookie }, signal: deadline })
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
    await sleep(LOOK_EVERY_MS, undefined, { signal: deadline })
  }
}

/** Stops the demo, also one that does not end by itself. Windows ends it at once, without a code. */
async function stop() {
  if (demo.exitCode !== null || demo.signalCode !== null) return
  const closed = once(demo, 'close')
  const force = setTimeout(() => demo.kill('SIGKILL'), STOP_WITHIN_MS)
  demo.kill()
  const [code, signal] = await closed
  clearTimeout(force)
  if (code || signal === 'SIGKILL') {
    throw new Error(`The demo did not stop cleanly: ${code ?? 'it had to be killed'}`)
  }
}

const started = startDemo({ HOST: '127.0.0.1' }, deadline)
const { demo } = started
try {
  const address = await started.address
  await waitUntilPublished(await signIn(address, 'northbeck'))
  const read = await signIn(address, 'summit')
  const [retailer] = await (await read('/api/retailers')).json()
  const { downloadUrl } = await (await read(`/api/retailers/${retailer.id}/latest-file`)).json()
  const rows = (await (await read(downloadUrl)).text()).trim().split('\n')
  process.stdout.write(`A retailer gets ${rows.length} lines, on Node ${process.version}\n`)
} catch (error) {
  if (!deadline.aborted) throw error
  throw new Error(`The demo was not tried within ${WITHIN_MS / 60_000} minutes`, { cause: error })
} finally {
  await stop()
}
