import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, expect, it } from 'vitest'

let directory: string
let server: Server
let port: string
let status: number
let asked: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-health-'))
  status = 200
  asked = []
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = `${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.close()
  await rm(directory, { recursive: true })
})

async function check(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [resolve('scripts/run.mjs'), 'health', ...args], {
    cwd: directory,
    env: environment,
  })
  const [[code], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, out, err }
}

const WELL = { code: 0, out: '', err: '' }

it.each([
  ['the web process', [], 'PORT', '/healthz'],
  ['a worker', ['worker'], 'WORKER_PORT', '/readyz'],
  ['an inbox', ['inbox'], 'INBOX_PORT', '/readyz'],
])(
  'the health check finds %s by the port that is set, also in a file',
  async (_, args, name, path) => {
    const file = join(directory, 'port')
    await writeFile(file, `${port}\n`)
    expect(await check(args, { [name]: port })).toEqual(WELL)
    expect(await check(args, { [`${name}_FILE`]: file })).toEqual(WELL)
    expect(asked).toEqual([path, path])
  },
)

it('the health check fails with the reason in a line', async () => {
  status = 503
  const url = `http://127.0.0.1:${port}/healthz`
  expect(await check([], { PORT: port })).toEqual({ code: 1, out: '', err: `${url} answers 503\n` })
  server.close()
  await once(server, 'close')
  const err = `${url} does not answer\n`
  expect(await check([], { PORT: port })).toEqual({ code: 1, out: '', err })
  const { code, err: invalid } = await check([], { PORT: 'http' })
  expect([code, invalid]).toEqual([1, expect.stringMatching(/^The configuration.*\n +PORT/)])
})
