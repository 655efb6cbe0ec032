import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findProgram } from '../../../scripts/current-build.mjs'
import { limitSql } from '../../server/db/sqlite/sql-process'
import { toChildCommands } from '../../server/files/children/child-command'
import { startReaderProcess } from '../../server/files/children/reader/reader-process'
import { defaultTaskLimits } from '../../server/files/children/reader/task-limits'
import { findDebuggers, isNode } from '../support/debuggers'
import { listTree } from '../support/process-tree'
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  waitForUrl,
  type Product,
} from '../support/product'

/** Any port, so that the debuggers of several processes do not get into each other's way. */
const ANY_PORT = { NODE_OPTIONS: '--inspect-port=0' }

let dataDir: string
beforeEach(async () => {
  dataDir = await makeDataDir()
})
afterEach(() => removeDataDir(dataDir))

/** The Node processes of a tree. */
async function listPrograms(pid: number): Promise<number[]> {
  const tree = await listTree(pid)
  const areWanted = await Promise.all(
    tree.map(
      async (member) => (await isNode(member).catch(() => false)) && !(await isReader(member)),
    ),
  )
  return tree.filter((_, index) => areWanted[index])
}

/** Whether a process reads files: it may end by itself at any time, and has a test of its own. */
const isReader = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('server/reader.js')

/** Waits for a process below this one that has a file open. */
async function findUser(file: string): Promise<number> {
  for (;;) {
    const [, ...children] = await listTree(process.pid)
    for (const pid of children) {
      const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
      const paths = open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
      if ((await Promise.all(paths)).includes(file)) return pid
    }
  }
}

describe('SIGUSR1 opens no debugger and ends no process', () => {
  const main = () => fileURLToPath(findProgram(resolve('dist'), 'main')!)
  const preloaded = ['--import', 'data:text/javascript,', 'scripts/run.mjs', 'main']
  const starts: [string, () => Promise<Product>][] = [
    ['the web process', () => startProduct(dataDir, ANY_PORT)],
    ['a worker', () => startWorker(dataDir, ANY_PORT)],
    ['the web process without run.mjs', () => startProduct(dataDir, ANY_PORT, main())],
    ['the web process after a module', () => startProduct(dataDir, ANY_PORT, ...preloaded)],
  ]

  it.each(starts)('of %s', async (_name, start) => {
    const product = await start()
    try {
      expect(await findDebuggers(await listPrograms(product.pid))).toEqual([])
      const response = await fetch(`${product.url}/healthz`)
      expect(response.status).toBe(200)
    } finally {
      expect(await product.stop()).toBe(0)
    }
  })

  it.each(['start', 'run demo'])('of npm %s', async (script) => {
    const npm = spawn('npm', script.split(' '), {
      env: { ...process.env, ...ANY_PORT, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir },
      detached: true,
    })
    const exited = once(npm, 'exit')
    await waitForUrl(npm)
    const [, ...programs] = await listPrograms(npm.pid!)
    const found = await findDebuggers(programs)
    process.kill(-npm.pid!, 'SIGINT')
    await exited
    expect(programs.length).toBeGreaterThan(0)
    expect(found).toEqual([])
  })

  it('of a process that reads files', async () => {
    const commands = toChildCommands({ env: ANY_PORT, allow: [], maxBytes: 1 })
    const reader = await startReaderProcess(commands.reader, defaultTaskLimits)
    const found = await findDebuggers([reader.pid])
    await reader.end()
    expect(found).toEqual([])
    expect(await reader.exited).toMatchObject({ code: 0 })
  })

  it('of the process that reads a database that is not trusted', async () => {
    const file = join(dataDir, 'app.db')
    await writeFile(file, '')
    const stop = new AbortController()
    const sql =
      'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n'
    const endless = limitSql(600_000)(file, [{ sql }], stop.signal)
    const found = await findDebuggers([await findUser(file)])
    stop.abort(new Error('enough'))
    await expect(endless).rejects.toThrow('enough')
    expect(found).toEqual([])
  })

  const commands = ['seed-suppliers', 'create-admin', 'migrate', 'backup', 'restore', 'doctor']
  it.each(commands)('of npm run %s', async (name) => {
    const report = `process.on('exit', () => console.error(process.listenerCount('SIGUSR1') > 0))`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(report)}`]
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [...args, 'scripts/run.mjs', name, '--help'],
      { env: { DATA_DIR: dataDir } },
    )
    expect(stderr).toBe('true\n')
  })
})
