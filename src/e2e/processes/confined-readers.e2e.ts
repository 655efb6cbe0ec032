import { execFile } from 'node:child_process'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { createSupplierUser } from '../../server/testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { readNow } from '../support/page'
import { makeDataDir, removeDataDir, startProduct } from '../support/product'
import { replaceChild } from '../support/replaced-child'
import { signIn } from '../support/seeded-data-dir'

const CREDENTIAL = 'the-secret-of-a-source'

/** Source code that attempts what an exploited program would, and ends with the outcomes as its last words. */
const attempts = (dataDir: string, port: number) => `
  const database = ${JSON.stringify(join(dataDir, 'app.db'))}
  const files = ${JSON.stringify(join(dataDir, 'files'))}
  const outcome = (work) => {
    try {
      return String(work() ?? 'done')
    } catch (error) {
      return error.code
    }
  }
  const later = (start) => new Promise((resolve) => {
    setTimeout(resolve, 2_000, 'silent')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => resolve(error.code))
    try {
      start((error) => resolve(error?.code ?? 'done'))
    } catch (error) {
      resolve(error.code)
    }
  })
  const connect = (target) => (end) =>
    void net.connect(target).once('connect', () => end()).once('error', end)
  const outcomes = {
    files: {
      readPasswords: outcome(() => fs.readFileSync('/etc/passwd', 'utf8')),
      readDatabase: outcome(() => fs.readFileSync(database)),
      readStoredFiles: outcome(() => fs.readdirSync(files)),
      readEnvironment: outcome(() => fs.readFileSync('/proc/' + process.ppid + '/environ')),
      writeCode: outcome(() => fs.writeFileSync(${JSON.stringify(resolve('dist/written'))}, 'x')),
      writeStoredFile: outcome(() => fs.writeFileSync(files + '/stored.csv', 'x')),
      writeDraft: outcome(() => fs.writeFileSync(files + '/drafts/draft', 'x')),
      linkDraft: outcome(() => fs.linkSync(database, files + '/drafts/link')),
    },
    descriptors: Array.from({ length: 200 }, (_, fd) => fd).filter((fd) => {
      try {
        return fs.fstatSync(fd).isFile()
      } catch {
        return false
      }
    }),
    network: {
      connect: await later(connect({ host: '127.0.0.1', port: ${port} })),
      connectToSocket: await later(connect(files + '/socket')),
      lookUp: await later((end) => dns.lookup('localhost', end)),
      resolve: await later((end) => dns.resolve4('localhost', end)),
      send: await later((end) => void dgram.createSocket('udp4').once('error', end).send('x', ${port}, '127.0.0.1', end)),
      listen: await later((end) => void net.createServer().once('error', end).listen(0, '127.0.0.1', end)),
      fetch: await fetch('http://127.0.0.1:${port}/', { signal: AbortSignal.timeout(1_000) }).then(() => 'done', (error) => error.cause?.code ?? error.code),
    },
    processes: {
      startProgram: outcome(() => spawnSync('id').error?.code),
      startThread: outcome(() => new Worker('1', { eval: true })),
      loadAddon: outcome(() => process.dlopen({ exports: {} }, '/nowhere.node')),
      signalParent: outcome(() => process.kill(process.ppid, 'SIGUSR1')),
      signalByCopy: outcome(() => kill(process.ppid, 'SIGCONT')),
      signalInside: outcome(() => process._kill(process.ppid, 18)),
      signalByImport: outcome(() => nodeProcess._kill(process.ppid, 18)),
      debugParent: outcome(() => process._debugProcess(process.ppid)),
      debugByImport: outcome(() => nodeProcess._debugProcess(process.ppid)),
      bindToSystem: outcome(() => process.binding('process_methods')),
      slowParent: outcome(() => setPriority(process.ppid, 19)),
    },
    becomeRoot: outcome(() => process.setuid(0)),
    user: process.getuid(),
    environment: Object.keys(process.env).join(),
    isToldTheCredential: line.includes(${JSON.stringify(CREDENTIAL)}),
  }
  fs.writeSync(2, '\\n' + JSON.stringify(outcomes))
  process.exit(3)
`

const ORDINARY_USER = 65_534
const AS_ORDINARY_USER = [
  '--import',
  `data:text/javascript,process.setgroups([]);process.setgid(${ORDINARY_USER});process.setuid(${ORDINARY_USER})`,
]
const isRoot = process.getuid?.() === 0

type Outcomes = Record<'files' | 'network' | 'processes', Record<string, string>> & {
  descriptors: number[]
  becomeRoot: string
  user: number
  environment: string
  isToldTheCredential: boolean
}

let dataDir: string
let source: SourceServer
let bystander: Server
let username: string

beforeAll(async () => {
  dataDir = await makeDataDir()
  source = await startSourceServer()
  source.set('/feed.csv', { body: 'sku,name\n1,Shirt\n' })
  bystander = createServer().listen(0, '127.0.0.1')
  const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  username = (await createSupplierUser(deps)).username
  await deps.close()
})
afterAll(async () => {
  bystander.close()
  await source.close()
  await removeDataDir(dataDir)
})

const DENIED = 'ERR_ACCESS_DENIED'
const allOf = (outcomes: Record<string, string>, outcome: string) =>
  Object.fromEntries(Object.keys(outcomes).map((name) => [name, outcome]))

const MOST_MS = 90_000
const LAST_WORDS = /"stderr":"((?:[^"\\]|\\.)*)"/

/**
 * Previews a source in a product one of whose programs is taken over, and returns what that could do. The inbox needs no
 * preview: its first message tells it where to listen.
 */
async function takeOver(
  name: 'fetcher' | 'reader' | 'inbox-child',
  asUser: string[],
): Promise<Outcomes> {
  const { port } = bystander.address() as AddressInfo
  const child = await replaceChild(name, attempts(dataDir, port))
  const env = {
    FETCH_ALLOW: source.host,
    LOG_LEVEL: 'warn',
    SECRET: 'of the parent',
    SFTP_PORT: '0',
  }
  const product = await startProduct(dataDir, env, ...asUser, child.main)
  try {
    const supplier = await signIn(product, username)
    const auth = { type: 'bearer', token: CREDENTIAL }
    const preview = { url: source.url('/feed.csv'), auth }
    // Its last words are logged once it has ended by itself. A preview ends it after 15 seconds, in which a
    // loaded machine may not have made all attempts.
    const isOver = async () => LAST_WORDS.test(await readNow(product.output()))
    const end = performance.now() + MOST_MS
    while (!(await isOver()) && performance.now() < end) {
      if (name !== 'inbox-child') await supplier.send('POST', '/api/connections/preview', preview)
      await new Promise((done) => setTimeout(done, 500))
    }
    const [, words = ''] = LAST_WORDS.exec(await readNow(product.output())) ?? []
    const lastLine = (JSON.parse(`"${words}"`) as string).split('\n').at(-1) ?? ''
    return JSON.parse(lastLine) as Outcomes
  } finally {
    await product.stop()
    await child.remove()
  }
}

describe.each([
  ...(isRoot ? [['root', [], (user: number) => user >= 60_600] as const] : []),
  [
    'an ordinary user',
    isRoot ? AS_ORDINARY_USER : [],
    (user: number) => user === (isRoot ? ORDINARY_USER : process.getuid?.()),
  ],
] as const)('in a product that runs as %s', (who, asUser, isExpected) => {
  beforeAll(async () => {
    if (!isRoot) return
    const owner = who === 'root' ? '0' : `${ORDINARY_USER}`
    await promisify(execFile)('chown', ['-R', `${owner}:${owner}`, dataDir])
  })

  it('a reader that is taken over reaches nothing but its parent', async () => {
    const outcomes = await takeOver('reader', [...asUser])
    const { files, network, processes } = outcomes
    expect(files).toEqual(allOf(files, DENIED))
    expect(network).toEqual(allOf(network, DENIED))
    expect(processes).toEqual({ ...allOf(processes, DENIED), loadAddon: 'ERR_DLOPEN_DISABLED' })
    expect(outcomes).toMatchObject({
      descriptors: [],
      becomeRoot: 'EPERM',
      isToldTheCredential: false,
      environment: expect.not.stringMatching(/SECRET|DATA_DIR|PASSWORD|KEY|PATH/) as string,
    })
    expect(isExpected(outcomes.user)).toBe(true)
  })

  it('an inbox that is taken over reaches no file and no process', async () => {
    const outcomes = await takeOver('inbox-child', [...asUser])
    const { files, network, processes } = outcomes
    expect(files).toEqual(allOf(files, DENIED))
    expect(processes).toEqual({ ...allOf(processes, DENIED), loadAddon: 'ERR_DLOPEN_DISABLED' })
    expect(network).toMatchObject({ connect: 'done', listen: 'done' })
    expect(outcomes).toMatchObject({
      descriptors: [],
      becomeRoot: 'EPERM',
      isToldTheCredential: false,
      environment: expect.not.stringMatching(/SECRET|DATA_DIR|PASSWORD|KEY|PATH/) as string,
    })
    expect(isExpected(outcomes.user)).toBe(true)
  })

  it('a fetcher that is taken over reaches no file and no process', async () => {
    const outcomes = await takeOver('fetcher', [...asUser])
    const { files, network, processes } = outcomes
    expect(files).toEqual(allOf(files, DENIED))
    expect(processes).toEqual({ ...allOf(processes, DENIED), loadAddon: 'ERR_DLOPEN_DISABLED' })
    expect(network).toMatchObject({ connect: 'done', lookUp: 'done' })
    expect(outcomes).toMatchObject({
      descriptors: [],
      becomeRoot: 'EPERM',
      isToldTheCredential: true,
      environment: expect.not.stringMatching(/SECRET|DATA_DIR|PASSWORD|KEY|PATH/) as string,
    })
    expect(isExpected(outcomes.user)).toBe(true)
  })
})
