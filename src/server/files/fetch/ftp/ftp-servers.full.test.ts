import { afterEach, describe, expect, it } from 'vitest'

import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import {
  type FtpTls,
  type InstalledFtpServer,
  startInstalledFtpServer,
} from '../../../testing/servers/installed-ftp-servers'
import { isInstalled } from '../../../testing/servers/installed-program'
import { failureOf, readWhole } from '../../../testing/stages/fetching'
import { createFileFetcher, type FileFetcher } from '../fetch'
import type { FileServerAccess } from '../file-server'

const CHANGED_AT = new Date('2026-01-02T03:04:05Z')
const LARGE = Buffer.alloc(6_000_000, 'a long line of some text, ')

let server: InstalledFtpServer | undefined
let fetcher: FileFetcher | undefined
afterEach(async () => {
  await fetcher?.close()
  await server?.close()
})

async function start(program: 'vsftpd' | 'proftpd', tls: FtpTls) {
  server = await startInstalledFtpServer(program, tls)
  await server.put('stock.csv', 'sku\n1\n', CHANGED_AT)
  await server.put('Bestände 1.csv', 'sku\n2\n', CHANGED_AT)
  await server.put('large.csv', LARGE, CHANGED_AT)
  fetcher = createFileFetcher({
    now: Date.now,
    allow: ['127.0.0.1'],
    lookup: async () => [{ address: '127.0.0.1' }],
    maxBytes: 64 * 1024 * 1024,
    timeouts: { idleMs: 1_500 },
    ...(tls !== 'none' && { ca: server.certificate }),
  })
  return { server, fetcher }
}

const access = (tls: FtpTls): FileServerAccess => ({
  ...DEFAULT_TRANSFER,
  login: undefined,
  usesTls: tls !== 'none',
})

/** Reads a file; `onBytes` is called with how many have come. */
async function read(path: string, tls: FtpTls, onBytes?: (bytes: number) => Promise<void>) {
  if (!server || !fetcher) throw new Error('Nothing was started')
  const response = await fetcher.fetch({
    url: server.url(path),
    signal: new AbortController().signal,
    server: access(tls),
  })
  return readWhole(response, onBytes)
}

describe.each(['vsftpd', 'proftpd'] as const)('an installed %s', (program) => {
  const isThere = isInstalled(program)
  const ways = ['none', 'explicit', 'implicit'] as const

  it.skipIf(!isThere).each(ways)('sends files whole, with TLS: %s', async (tls) => {
    await start(program, tls)
    const small = await read('/stock.csv', tls)
    expect(small.bytes.toString()).toBe('sku\n1\n')
    expect(small.lastModified).toBe(CHANGED_AT.toUTCString())
    expect((await read('/Bestände 1.csv', tls)).bytes.toString()).toBe('sku\n2\n')
    expect((await read('/large.csv', tls)).bytes.equals(LARGE)).toBe(true)
    expect(await failureOf(read('/other.csv', tls))).toMatchObject({ code: 'no-file' })
    // Several data connections; vsftpd does not tell the times of files in a folder.
    expect((await read('/st*.csv', tls)).bytes.toString()).toBe('sku\n1\n')
  })

  it.skipIf(!isThere)('that requires TLS says so, and one that has none too', async () => {
    await start(program, 'explicit')
    expect(await failureOf(read('/stock.csv', 'none'))).toMatchObject({ code: 'sign-in-refused' })
    await fetcher?.close()
    await server?.close()
    await start(program, 'none')
    expect(await failureOf(read('/stock.csv', 'explicit'))).toMatchObject({ code: 'tls' })
  })

  it.skipIf(!isThere).each(ways)(
    'that is killed in the middle has sent no whole file: %s',
    async (tls) => {
      const running = await start(program, tls)
      const failure = await failureOf(
        read('/large.csv', tls, async (bytes) => {
          if (bytes > 1_000_000) await running.server.kill()
        }),
      )
      expect(failure).toMatchObject({ code: 'truncated' })
    },
  )

  it.skipIf(!isThere).each(ways)(
    'that is frozen in the middle has sent no whole file: %s',
    async (tls) => {
      const running = await start(program, tls)
      const failure = await failureOf(
        read('/large.csv', tls, async (bytes) => {
          if (bytes > 1_000_000) await running.server.freeze()
        }),
      )
      expect(failure).toMatchObject({ code: 'stalled' })
    },
  )
})
