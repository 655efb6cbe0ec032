import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import type { ConnectionConfigInput } from '../../../../shared/schemas/connection'
import { startInstalledFtpServer } from '../../../testing/servers/installed-ftp-servers'
import { isInstalled } from '../../../testing/servers/installed-program'
import { SSHD, startInstalledSshServer } from '../../../testing/servers/installed-ssh-server'
import { type ByHandStage, openByHandStage } from '../../../testing/stages/by-hand-stage'

const FILE = 'sku,name,qty\r\n1,One,5\r\n2,Two,6\r\n'
/** Reading it takes seconds. */
const LARGE = Buffer.concat([Buffer.from(FILE), Buffer.alloc(150_000_000, '3,Three,7\r\n')])
const BEFORE = new Date('2026-01-02T03:04:05Z')
const LATER = new Date('2026-01-03T03:04:05Z')

interface Opened {
  config: ConnectionConfigInput
  server: Pick<
    Awaited<ReturnType<typeof startInstalledSshServer>>,
    'put' | 'kill' | 'freeze' | 'close'
  >
}

async function openSsh(): Promise<Opened> {
  const server = await startInstalledSshServer()
  const auth = { type: 'ssh-key', ...server.login } as const
  const transfer = { hostKeys: server.publicKeys }
  return { server, config: { url: server.url('/stock.csv'), auth, transfer } }
}

const openFtp = (program: 'vsftpd' | 'proftpd') => async (): Promise<Opened> => {
  const server = await startInstalledFtpServer(program, 'none')
  const url = server.url('/stock.csv').replace('localhost', '127.0.0.1')
  return { server, config: { url, transfer: { usesTls: false } } }
}

let stage: ByHandStage | undefined
let opened: Opened | undefined
afterEach(async () => {
  await stage?.close()
  await opened?.server.close()
})

describe.each([
  ['OpenSSH', SSHD, openSsh],
  ['vsftpd', 'vsftpd', openFtp('vsftpd')],
  ['ProFTPD', 'proftpd', openFtp('proftpd')],
])('a file at an installed %s', (_name, program, open) => {
  it.skipIf(!isInstalled(program)).each([
    ['kill', 'The connection was cut before the file was complete.'],
    ['freeze', 'The server stopped sending in the middle of the file.'],
  ] as const)(
    'keeps the last good one published when the server is lost in the middle: %s',
    { timeout: 60_000 },
    async (fault, reason) => {
      opened = await open()
      const { server, config } = opened
      await server.put('stock.csv', FILE, BEFORE)
      stage = await openByHandStage(config, { fetchAllow: ['127.0.0.1'] })
      await stage.deps.work()
      expect(await stage.publishedText()).toBe(FILE)
      await server.put('stock.csv', LARGE, LATER)
      stage.deps.clock.advance(HOUR_MS)
      const syncing = stage.deps.work()
      await sleep(400)
      await server[fault]()
      await syncing
      expect((await stage.current()).lastError).toBe(reason)
      expect(await stage.publishedText()).toBe(FILE)
    },
  )
})
