import { readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { failureOf } from '../../testing/stages/fetching'
import {
  INSTALLED_DESTINATIONS,
  type InstalledDestination,
} from '../../testing/stages/installed-destinations'
import { bodyOf, requestOf } from '../../testing/stages/sending'
import { createNetworkSender, type NetworkSender } from './send-file'
import type { SentBody } from './sending'

const SMALL = Buffer.alloc(1_024, 'sku,name\n')
const LARGE = Buffer.alloc(100 * 1024 * 1024, 'a long line of some text, ')
const NAME = 'Bestände 1.csv'

let server: InstalledDestination | undefined
let sender: NetworkSender | undefined
let watcher: NodeJS.Timeout | undefined
afterEach(async () => {
  clearInterval(watcher)
  await sender?.close()
  await server?.close()
})

async function open(start: () => Promise<InstalledDestination>) {
  server = await start()
  const { ca } = server
  sender = createNetworkSender({
    now: Date.now,
    allow: ['127.0.0.1'],
    lookup: async () => [{ address: '127.0.0.1' }],
    timeouts: { idleMs: 1_500, acceptMs: 5_000 },
    ...(ca !== undefined && { ca }),
  })
  return server
}

function send(content: Buffer, body: SentBody = bodyOf(content)) {
  if (!server || !sender) throw new Error('Nothing was started')
  const request = requestOf(content, {
    fileName: NAME,
    address: server.address,
    server: server.access,
  })
  return sender.send(request, body)
}

/** Looks at the folder all the time; returns the sizes with which the file was seen under its name. */
function watch({ folder }: InstalledDestination): Set<number> {
  const seen = new Set<number>()
  watcher = setInterval(() => {
    if (readdirSync(folder).includes(NAME)) seen.add(statSync(join(folder, NAME)).size)
  }, 1)
  return seen
}

/** Has something done in the middle of a file. */
const interrupted = (content: Buffer, work: () => unknown): SentBody =>
  async function* body() {
    let isDone = false
    let bytes = 0
    for await (const piece of bodyOf(content)()) {
      yield piece
      bytes += piece.length
      if (isDone || bytes < content.length / 2) continue
      isDone = true
      await work()
    }
  }

describe.each(INSTALLED_DESTINATIONS)('an installed server: $name', ({ isThere, start }) => {
  it.skipIf(!isThere)('gets files whole, also over others, and never has half of one', async () => {
    const { folder } = await open(start)
    const seen = watch(server!)
    await send(SMALL)
    expect(readFileSync(join(folder, NAME)).equals(SMALL)).toBe(true)
    await writeFile(join(folder, `.${NAME}.part`), 'left by an earlier attempt')
    await chmod(join(folder, `.${NAME}.part`), 0o666)
    expect((await send(LARGE)).text).toContain(`has all 104,857,600 bytes of ${NAME}`)
    expect(readFileSync(join(folder, NAME)).equals(LARGE)).toBe(true)
    await send(SMALL)
    expect(readFileSync(join(folder, NAME)).equals(SMALL)).toBe(true)
    expect(await readdir(folder)).toEqual([NAME])
    expect([...seen].toSorted((a, b) => a - b)).toEqual([SMALL.length, LARGE.length])
  })

  it.skipIf(!isThere)('that is killed in the middle of a file has no half of it', async () => {
    const running = await open(start)
    await writeFile(join(running.folder, NAME), 'the file before')
    const seen = watch(running)
    const failure = await failureOf(
      send(
        LARGE,
        interrupted(LARGE, () => running.kill()),
      ),
    )
    expect(['connection-lost', 'truncated']).toContain(failure.code)
    expect([...seen]).toEqual(['the file before'.length])
  })

  it.skipIf(!isThere)('that is frozen in the middle of a file is given up', async () => {
    const running = await open(start)
    const seen = watch(running)
    const failure = await failureOf(
      send(
        LARGE,
        interrupted(LARGE, () => running.freeze()),
      ),
    )
    expect(failure.code).toBe('stalled')
    expect([...seen]).toEqual([])
  })

  it.skipIf(!isThere)('tells of a folder that is not there', async () => {
    const running = await open(start)
    server = { ...running, address: `${running.address.replace(/\/$/, '')}/no/such` }
    let isAsked = false
    const failure = await failureOf(
      send(
        SMALL,
        bodyOf(SMALL, () => (isAsked = true)),
      ),
    )
    expect(failure.message).toMatch(/folder \S*no\/such/)
    expect(isAsked).toBe(false)
  })
})
