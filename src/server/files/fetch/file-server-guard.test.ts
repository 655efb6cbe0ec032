import { createServer } from 'node:net'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { DEFAULT_TRANSFER } from '../../../shared/schemas/transfer'
import { PRIVATE_ADDRESSES } from '../../testing/fixtures/private-addresses'
import { listenOnLoopback } from '../../testing/servers/loopback'
import { createFileFetcher } from './fetch'

describe.each(['sftp', 'ftp', 'ftps'])('a connection over %s', (scheme) => {
  let port = 0
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  beforeAll(async () => {
    port = await listenOnLoopback(server)
  })
  beforeEach(() => (connections = 0))
  afterAll(() => void server.close())

  async function codeAt(host: string, answers: string[] = [], at = port) {
    const lookup = async () => answers.map((address) => ({ address }))
    const fetcher = createFileFetcher({ now: Date.now, allow: [], maxBytes: 1_000, lookup })
    try {
      const url = `${scheme}://${host}:${at}/stock.csv`
      const login = { username: 'me', password: 'secret' }
      const access = { ...DEFAULT_TRANSFER, hostKeys: [], login }
      await fetcher.fetch({ url, server: access, signal: new AbortController().signal })
      return 'fetched'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await fetcher.close()
    }
  }

  it.each(PRIVATE_ADDRESSES)('to %s is refused', async (host) => {
    expect(['address-refused', 'bad-address']).toContain(await codeAt(host))
    expect(connections).toBe(0)
  })

  it('to a name is refused when any of its addresses is private, as if there was no such name', async () => {
    for (const answers of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1'], []]) {
      expect(await codeAt('files.example', answers)).toBe('name-not-found')
    }
    expect(await codeAt('localhost', ['127.0.0.1'])).toBe('address-refused')
    expect(connections).toBe(0)
  })

  it.each([23, 25, 80, 443, 6379])('to port %i is refused', async (at) => {
    expect(await codeAt('files.example', ['8.8.8.8'], at)).toBe('address-refused')
  })
})
