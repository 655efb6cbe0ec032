import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { createConnection } from '../../server/features/catalogue/connections/connections'
import { createSftpLogin } from '../../server/features/distribution/sftp-logins/sftp-logins'
import { createSupplierUser, PASSWORD } from '../../server/testing/fixtures/factories'
import { connectSsh, openSftpOf } from '../../server/testing/fixtures/sftp-client'
import { findFreePort } from '../../server/testing/servers/free-port'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import type { FileListing } from '../../shared/schemas/file'
import { listTree } from '../support/process-tree'
import {
  makeDataDir,
  removeDataDir,
  startInbox,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until } from '../support/rest-client'

const CSV = 'sku,qty\r\n1,5\r\n'
const NEXT = 'sku,qty\r\n1,7\r\n'

let dataDir: string
let env: Record<string, string>
let programs: Product[]
let supplier: string
let connectionId: number
let login: { username: string; password: string }

const openDeps = () => openTestDeps(readConfig({ DATA_DIR: dataDir, ...env }))

beforeEach(async () => {
  dataDir = await makeDataDir()
  programs = []
  env = { SFTP_PORT: `${await findFreePort()}`, LOG_LEVEL: 'info' }
  const deps = await openDeps()
  const user = await createSupplierUser(deps)
  const settings = { name: 'Stock', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 } as const
  const { id } = await createConnection(deps, user, { ...settings, config: {}, isActive: true })
  const made = await createSftpLogin(deps, user, 'connection', { id })
  await deps.close()
  supplier = user.username
  connectionId = id
  login = { username: made.username, password: made.password! }
})
afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await removeDataDir(dataDir)
})

async function run(starting: Promise<Product>): Promise<Product> {
  const program = await starting
  programs.push(program)
  return program
}
const startWeb = (more: Record<string, string> = {}) =>
  run(startProduct(dataDir, { ...env, ...more }))

async function openDropBox() {
  const client = await connectSsh({ port: Number(env.SFTP_PORT), ...login })
  return openSftpOf(client)
}
const put = async (name: string, content: string) => {
  const drop = await openDropBox()
  await drop.put(`/${name}`, content)
  drop.client.end()
}
/** Puts it as soon as there is an inbox. */
const putSoon = (name: string, content: string) =>
  until(
    () =>
      put(name, content).then(
        () => true,
        () => false,
      ),
    Boolean,
  )

const isOpen = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(env.SFTP_PORT), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const readiness = async ({ url }: Product) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

/** The names under which files were published, oldest first. */
async function published({ url }: Product, count: number): Promise<string[]> {
  const client = createRestClient(url)
  await client.signIn(supplier, PASSWORD)
  const list = async () =>
    ((await client.send('GET', `/api/connections/${connectionId}/files`)).body as FileListing).files
  const files = await until(list, (found) => found.length >= count)
  return files.map(({ fileName }) => fileName)
}

/** The files that have come, and what became of them. */
async function received(): Promise<string[]> {
  const deps = await openDeps()
  const rows = await deps.db
    .selectFrom('receivedFiles')
    .select(['fileName', 'state'])
    .orderBy('id')
    .execute()
  await deps.close()
  return rows.map(({ fileName, state }) => `${fileName} ${state}`)
}

describe('an inbox', () => {
  it('runs apart from background work, which publishes what comes', async () => {
    const web = await startWeb({ INBOX: 'off' })
    expect(await isOpen()).toBe(false)
    const inbox = await run(startInbox(dataDir, env))
    expect(await readiness(inbox)).toEqual({
      status: 200,
      body: { status: 'ready', inbox: { sftp: 'listening' } },
    })
    await put('stock.csv', CSV)
    expect(await published(web, 1)).toHaveLength(1)
    expect(await inbox.stop()).toBe(0)
    expect(await isOpen()).toBe(false)
  })

  it('takes the port over when the worker ends that had it', async () => {
    const web = await startWeb({ WORKER: 'off' })
    const worker = await run(startWorker(dataDir, env))
    await until(isOpen, Boolean)
    await put('stock.csv', CSV)
    await published(web, 1)
    const waiting = run(startInbox(dataDir, env))
    const second = await run(startWorker(dataDir, env))
    const state = async () => (await readiness(second)).body
    expect(await state()).toEqual({ status: 'ready', inbox: { sftp: 'waiting' } })
    expect(await worker.stop()).toBe(0)
    await putSoon('next.csv', NEXT)
    await published(web, 2)
    expect(await second.stop()).toBe(0)
    await waiting
    expect(await received()).toEqual(['stock.csv published', 'next.csv published'])
  })

  it('lets an upload end that is nearly complete when it is stopped', async () => {
    const inbox = await run(startInbox(dataDir, env))
    const drop = await openDropBox()
    const handle = await drop.open('/stock.csv', 'w')
    await drop.write(handle, 0, CSV.slice(0, 8))
    const ended = inbox.stop()
    await until(isOpen, (open) => !open)
    await drop.write(handle, 8, CSV.slice(8))
    await drop.close(handle)
    expect(await ended).toBe(0)
    expect(await received()).toEqual(['stock.csv waiting'])
    expect(await published(await startWeb({ INBOX: 'off' }), 1)).toHaveLength(1)
  })

  it('breaks an upload off that does not end when it is stopped, and leaves nothing of it', async () => {
    const inbox = await run(startInbox(dataDir, env))
    const drop = await openDropBox()
    const handle = await drop.open('/stock.csv', 'w')
    await drop.write(handle, 0, CSV)
    const closed = once(drop.client, 'close')
    expect(await inbox.stop()).toBe(0)
    await closed
    expect(await received()).toEqual([])
    expect(await readdir(join(dataDir, 'files/drafts'))).toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    'ends when its parent is killed, and what had come is published once after the restart',
    async () => {
      const inbox = await run(startInbox(dataDir, env))
      const tree = await listTree(inbox.pid)
      expect(tree.length).toBeGreaterThan(1)
      await put('stock.csv', CSV)
      const drop = await openDropBox()
      const handle = await drop.open('/half.csv', 'w')
      await drop.write(handle, 0, NEXT)
      expect(await inbox.stop('SIGKILL')).toBe(null)
      await until(
        async () => tree.filter(isAlive),
        (alive) => alive.length === 0,
      )
      expect(await isOpen()).toBe(false)
      expect(await received()).toEqual(['stock.csv waiting'])
      const web = await startWeb()
      await published(web, 1)
      await putSoon('next.csv', NEXT)
      expect(await published(web, 2)).toHaveLength(2)
      expect(await received()).toEqual(['stock.csv published', 'next.csv published'])
    },
  )
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
