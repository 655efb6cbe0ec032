import { readdir } from 'node:fs/promises'

import { afterEach, describe, expect, it } from 'vitest'

import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import { hostKeyOf } from '../../../testing/fixtures/ssh-keys'
import { isInstalled } from '../../../testing/servers/installed-program'
import {
  type InstalledSshServer,
  SSHD,
  startInstalledSshServer,
} from '../../../testing/servers/installed-ssh-server'
import { failureOf, readWhole } from '../../../testing/stages/fetching'
import { createFileFetcher, type FileFetcher } from '../fetch'
import type { FetchRequest } from '../fetch-context'
import type { FileServerAccess } from '../file-server'

const CHANGED_AT = new Date('2026-01-02T03:04:05Z')
const LARGE = Buffer.alloc(40_000_000, 'a long line of some text, ')

let server: InstalledSshServer
let fetcher: FileFetcher
afterEach(async () => {
  await fetcher?.close()
  await server?.close()
})

async function start(...options: Parameters<typeof startInstalledSshServer>) {
  server = await startInstalledSshServer(...options)
  await server.put('stock_1.csv', 'sku\n1\n', CHANGED_AT)
  await server.put('stock_2 März.csv', 'sku\n2\n', new Date(CHANGED_AT.getTime() + 60_000))
  await server.put('large.csv', LARGE, CHANGED_AT)
  fetcher = createFileFetcher({
    now: Date.now,
    allow: [server.host],
    maxBytes: 64 * 1024 * 1024,
    timeouts: { idleMs: 1_500 },
  })
}

const pinOf = (publicKey: string) => hostKeyOf(publicKey).fingerprint

const fetch = (
  path: string,
  access: Partial<FileServerAccess> = {},
  more: Partial<FetchRequest> = {},
) =>
  fetcher.fetch({
    url: server.url(path),
    signal: new AbortController().signal,
    server: {
      ...DEFAULT_TRANSFER,
      hostKeys: server.publicKeys.map(pinOf),
      login: server.login,
      ...access,
    },
    ...more,
  })

/** Reads a file; `onBytes` is called with how many have come. */
const read = async (path: string, onBytes?: (bytes: number) => Promise<void>) =>
  readWhole(await fetch(path), onBytes)

describe.skipIf(!isInstalled(SSHD))('an installed OpenSSH', () => {
  it('sends files whole, by whichever key it is known, and the newest that fits', async () => {
    await start(['rsa', 'ecdsa', 'ed25519'])
    expect((await read('/large.csv')).bytes.equals(LARGE)).toBe(true)
    const { bytes, foundName, lastModified } = await read('/stock_*.csv')
    expect(bytes.toString()).toBe('sku\n2\n')
    expect(foundName).toBe('stock_2 März.csv')
    expect(lastModified).toBe('Fri, 02 Jan 2026 03:05:05 GMT')
    for (const hostKey of server.publicKeys.map(pinOf)) {
      expect((await fetch('/stock_1.csv', { hostKeys: [hostKey] })).kind).toBe('content')
    }
    expect(await failureOf(read('/other.csv'))).toMatchObject({ code: 'no-file' })
  })

  it('moves a file that was read, and not one that has changed since', async () => {
    await start()
    const { etag } = await read('/stock_1.csv')
    if (etag === null) throw new Error('No etag')
    const afterReading = { action: 'move', folder: 'done' } as const
    const tidying = { etag, foundName: undefined, afterReading }
    await server.put('stock_1.csv', 'sku\n9\n', new Date())
    await fetch('/stock_1.csv', {}, { tidying })
    expect(await readdir(server.files)).toContain('stock_1.csv')
    await server.put('stock_1.csv', 'sku\n1\n', CHANGED_AT)
    await fetch('/stock_1.csv', {}, { tidying })
    expect(await readdir(server.files)).not.toContain('stock_1.csv')
    expect(await readdir(`${server.files}/done`)).toEqual(['stock_1.csv'])
  })

  it('that knows only old methods, or only those after quantum computers, is told so', async () => {
    await start(['rsa'], 'KexAlgorithms diffie-hellman-group14-sha1')
    const old = await failureOf(fetch('/stock_1.csv'))
    expect(old.message).toContain('allow old methods for this connection')
    expect((await fetch('/stock_1.csv', { allowsOld: true })).kind).toBe('content')
    await fetcher.close()
    await server.close()
    await start(['ed25519'], 'KexAlgorithms sntrup761x25519-sha512@openssh.com')
    const quantum = await failureOf(fetch('/stock_1.csv'))
    expect(quantum.message).toContain('only post-quantum key exchange')
  })

  it('that is killed in the middle of a file has sent no whole file', async () => {
    await start()
    const failure = await failureOf(
      read('/large.csv', async (bytes) => {
        if (bytes > 1_000_000) await server.kill()
      }),
    )
    expect(failure).toMatchObject({ code: 'truncated' })
  })

  it('that is frozen in the middle of a file has sent no whole file', async () => {
    await start()
    const failure = await failureOf(
      read('/large.csv', async (bytes) => {
        if (bytes > 1_000_000) await server.freeze()
      }),
    )
    expect(failure).toMatchObject({ code: 'stalled' })
  })
})
