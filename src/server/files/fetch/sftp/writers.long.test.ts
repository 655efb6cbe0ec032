import { appendFile, open, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { SECOND_MS } from '../../../../shared/durations'
import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import { hostKeyOf } from '../../../testing/fixtures/ssh-keys'
import { isInstalled } from '../../../testing/servers/installed-program'
import {
  type InstalledSshServer,
  SSHD,
  startInstalledSshServer,
} from '../../../testing/servers/installed-ssh-server'
import { readWhole } from '../../../testing/stages/fetching'
import { FileError } from '../../file-error'
import { createFileFetcher, type FileFetcher } from '../fetch'

const ROWS = Array.from({ length: 40 }, (_, row) => `${row},Item ${row}\n`)
const WHOLE = `sku,name\n${ROWS.join('')}`
const HALF = WHOLE.slice(0, WHOLE.length / 2)

describe.skipIf(!isInstalled(SSHD))('a file that somebody writes to an installed OpenSSH', () => {
  let server: InstalledSshServer
  let fetcher: FileFetcher
  beforeAll(async () => {
    server = await startInstalledSshServer()
    fetcher = createFileFetcher({ now: Date.now, allow: [server.host], maxBytes: 1e6 })
  })
  afterAll(async () => {
    await fetcher.close()
    await server.close()
  })

  async function read(name: string): Promise<string> {
    try {
      const response = await fetcher.fetch({
        url: server.url(`/${name}`),
        signal: new AbortController().signal,
        isAwaited: true,
        server: {
          ...DEFAULT_TRANSFER,
          hostKeys: [hostKeyOf(server.publicKeys[0]).fingerprint],
          login: server.login,
        },
      })
      return (await readWhole(response)).bytes.toString()
    } catch (error) {
      if (error instanceof FileError) return error.code
      throw error
    }
  }

  const writers: Record<string, (path: string) => Promise<void>> = {
    async slowly(path) {
      await writeFile(path, 'sku,name\n')
      for (const row of ROWS) {
        await sleep(SECOND_MS)
        await appendFile(path, row)
      }
    },
    async 'with a pause of 20 seconds'(path) {
      await writeFile(path, HALF)
      await sleep(20 * SECOND_MS)
      await appendFile(path, WHOLE.slice(HALF.length))
    },
    async 'beside it, and renames it'(path) {
      await writeFile(path, 'of yesterday')
      await writeFile(`${path}.part`, HALF)
      await sleep(10 * SECOND_MS)
      await appendFile(`${path}.part`, WHOLE.slice(HALF.length))
      await rename(`${path}.part`, path)
    },
    async 'anew, from nothing'(path) {
      await writeFile(path, WHOLE)
      await sleep(5 * SECOND_MS)
      await truncate(path)
      const file = await open(path, 'a')
      for (const half of [HALF, WHOLE.slice(HALF.length)]) {
        await sleep(15 * SECOND_MS)
        await file.write(half)
      }
      await file.close()
    },
  }

  it.concurrent.each(Object.keys(writers))(
    'is read once it is whole, or not at all: %s',
    { timeout: 300 * SECOND_MS },
    async (way) => {
      const name = `${way.replaceAll(/\W/g, '-')}.csv`
      const writing = writers[way]?.(join(server.files, name))
      await sleep(SECOND_MS)
      const result = await read(name)
      await writing
      expect([WHOLE, 'of yesterday', 'still-written']).toContain(result)
    },
  )
})
