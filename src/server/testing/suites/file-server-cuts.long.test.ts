import { afterEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../shared/durations'
import { FTP_PASSWORD, FTP_USER, startFtpServer } from '../servers/ftp-server'
import { SFTP_PASSWORD, SFTP_USER, startSftpServer } from '../servers/sftp-server'
import { type ByHandStage, openByHandStage } from '../stages/by-hand-stage'

const CUTS = 100
const ROWS = 5_000
/** Before the clock of the stage. */
const START = Date.UTC(2025, 0, 10)

const versionOf = (version: number) =>
  `sku,name,qty\r\n${Array.from({ length: ROWS }, (_, row) => `${row},Item ${row} of ${version},5\r\n`).join('')}`

interface CutServer {
  url: string
  login: { type: 'basic'; username: string; password: string }
  hostKeys: string[]
  put: (content: string, changedAt: number, saidBytes?: number) => void
  /** Has something done once so many bytes were sent. */
  onceSent: (bytes: number, work: () => void) => void
  dropAll: () => void
  close: () => Promise<void>
}

async function openSftp(): Promise<CutServer> {
  const server = await startSftpServer()
  return {
    url: server.url('/stock.csv'),
    login: { type: 'basic', username: SFTP_USER, password: SFTP_PASSWORD },
    hostKeys: server.publicKeys,
    put: (...file) => server.put('/stock.csv', ...file),
    onceSent(bytes, work) {
      server.state.onRead = (position) => {
        if (position >= bytes) work()
      }
    },
    dropAll: () => server.dropAll(),
    close: () => server.close(),
  }
}

async function openFtp(): Promise<CutServer> {
  const server = await startFtpServer()
  return {
    url: server.url('/stock.csv'),
    login: { type: 'basic', username: FTP_USER, password: FTP_PASSWORD },
    hostKeys: [],
    put: (...file) => server.put('/stock.csv', ...file),
    onceSent(bytes, work) {
      server.state.onSend = (position) => {
        if (position >= bytes) work()
      }
    },
    dropAll: () => server.dropAll(),
    close: () => server.close(),
  }
}

/** The same numbers at each run. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % below
  }
}

let server: CutServer
let stage: ByHandStage
afterEach(async () => {
  await stage.close()
  await server.close()
})

describe.each([
  ['SFTP', openSftp],
  ['FTP', openFtp],
])('a file over %s', (_name, open) => {
  it(
    `is never published by half, wherever it is cut: ${CUTS} times`,
    { timeout: 600_000 },
    async () => {
      server = await open()
      const random = createRandom(7)
      server.put(versionOf(0), START)
      const config = {
        url: server.url,
        auth: server.login,
        transfer: { hostKeys: server.hostKeys, usesTls: false },
      }
      stage = await openByHandStage(config, { fetchAllow: ['127.0.0.1'] })
      const sync = async () => {
        stage.deps.clock.advance(HOUR_MS)
        await stage.deps.work()
        return stage.publishedText()
      }
      expect(await sync()).toBe(versionOf(0))
      let published = versionOf(0)
      let failures = 0
      for (let cut = 1; cut <= CUTS; cut++) {
        const next = versionOf(cut)
        const changedAt = START + cut * HOUR_MS
        const at = random(next.length)
        server.put(next, changedAt)
        const ways = [
          () => server.dropAll(),
          () => server.put(next.slice(0, at), changedAt, next.length),
          () => server.put(next.slice(0, at), changedAt + 1_000),
          () => server.put(versionOf(cut + 1_000), changedAt + 1_000),
          () => server.put(`${next}${ROWS},One more,5\r\n`, changedAt + 1_000),
        ]
        server.onceSent(at, ways[random(ways.length)] ?? ways[0]!)
        const now = await sync()
        expect([published, next]).toContain(now)
        if (now === published) failures++
        // Once nothing cuts it any more, it is published whole.
        server.onceSent(Infinity, () => undefined)
        server.put(next, changedAt + 2_000)
        expect(await sync()).toBe(next)
        published = next
      }
      expect(failures).toBeGreaterThan(CUTS / 4)
    },
  )
})
