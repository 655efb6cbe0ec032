import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { TEST_SFTP } from '../testing/fixtures/sftp-settings'
import { listenOnLoopback } from '../testing/servers/loopback'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { checkSftp } from './check-sftp'

let deps: TestDeps
let folder: string
beforeEach(async () => {
  deps = await openTestDeps()
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-sftp-'))
})
afterEach(async () => {
  await deps.close()
  await rm(folder, { recursive: true })
})

const find = async (settings: Partial<Record<keyof typeof TEST_SFTP, unknown>> | null) => {
  const sftp = settings && { ...TEST_SFTP, host: 'localhost', ...settings }
  const config = { ...deps.config, sftp: sftp as typeof deps.config.sftp }
  return (await checkSftp({ ...deps, config })).map(({ state, text }) => `${state}: ${text}`)
}

it('says nothing of SFTP where there is no server', async () => {
  expect(await find(null)).toEqual([])
})

it('tells whether the port answers here, and is ours', async () => {
  const server = createServer((socket) => socket.end(greeting))
  let greeting = 'SSH-2.0-SFTP\r\n'
  const port = await listenOnLoopback(server)
  expect(await find({ port })).toContain(`ok: port ${port} answers here`)
  greeting = 'SSH-2.0-OpenSSH_9.9\r\n'
  expect(await find({ port })).toContain(`problem: Port ${port} is of another program`)
  server.close()
  const gone = expect.stringMatching(`^warning: Port ${port} does not answer here: .*ECONNREFUSED`)
  expect(await find({ port })).toContainEqual(gone)
})

it('tells of a key that cannot be read, and makes none', async () => {
  const hostKeyFile = join(folder, 'sftp-host-key')
  const own = { hostKeys: undefined, hostKeyFile }
  const none = await find(own)
  expect(none.join('\n')).toMatch(
    /ok: its key is made at the first start|warning: SFTP_HOST_KEY is not set/,
  )
  expect(await readdir(folder)).toEqual([])
  expect(await find({})).toContainEqual(
    expect.stringMatching(/^ok: its key is ssh-ed25519 SHA256:/),
  )
  await writeFile(hostKeyFile, 'no key')
  expect((await find(own)).join('\n')).toMatch(
    /problem: .* holds no private key|warning: SFTP_HOST_KEY is not set/,
  )
})

it('tells what the name is that people are told, and what cannot be known', async () => {
  expect(await find({ port: 2222 })).toContainEqual(
    expect.stringMatching(
      /^ok: localhost is .*; whether .* cannot be known from here: try sftp -P 2222 user@localhost/,
    ),
  )
  expect(await find({ host: 'sftp.invalid' })).toContainEqual(
    expect.stringMatching(/^warning: sftp\.invalid, which people are told, leads nowhere/),
  )
})
