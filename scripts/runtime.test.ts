import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findDebuggers } from '../src/e2e/support/debuggers'
import { listTree } from '../src/e2e/support/process-tree'

const PROGRAM = `
  import './runtime.mjs'
  const [what] = process.argv.slice(2)
  if (process.argv.includes('wait')) setInterval(() => {}, 60_000)
  if (what === 'tidy') process.on('SIGTERM', () => process.exit(5))
  console.log(process.execPath, process.argv.slice(2).join(' '))
  if (what === 'fail') process.exit(3)
`

/** Where child processes are found. */
const HAS_PROC = existsSync('/proc/self')

/** An installation with one script and an empty node_modules. */
let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'stockbridge-runtime-')))
  mkdirSync(join(root, 'scripts'))
  copyFileSync('scripts/runtime.mjs', join(root, 'scripts/runtime.mjs'))
  copyFileSync('package.json', join(root, 'package.json'))
  writeFileSync(join(root, 'scripts/program.mjs'), PROGRAM)
})
afterEach(() => rmSync(root, { recursive: true }))

/** Copies `program`, by default this Node, to where npm installs the one for this platform. */
function installRuntime(program = process.execPath, platform = process.platform): string {
  const isWindows = platform === 'win32'
  const system = `-${isWindows ? 'win' : platform}-${process.arch}`
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const name = Object.keys(optionalDependencies).find((key) => key.endsWith(system)) ?? 'none'
  const path = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(program, path)
  chmodSync(path, 0o755)
  return path
}

function start(args: string[], options: string[] = []): ChildProcess {
  return spawn(process.execPath, [...options, join(root, 'scripts/program.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function finish(child: ChildProcess) {
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const [[code, signal], out, err] = await Promise.all([
    exited,
    text(child.stdout!),
    text(child.stderr!),
  ])
  return { code, signal, out, err }
}

describe('a script that imports runtime.mjs', () => {
  it('restarts with the Node of its installation, keeping arguments and exit code', async () => {
    const runtime = installRuntime()
    const ended = await finish(start(['fail', 'a b']))
    expect(ended).toEqual({ code: 3, signal: null, out: `${runtime} fail a b\n`, err: '' })
  })

  it('runs on the Node that started it when the installation has none', async () => {
    const ended = await finish(start(['now']))
    expect(ended).toEqual({ code: 0, signal: null, out: `${process.execPath} now\n`, err: '' })
  })

  it('runs on the Node that started it when the installed one cannot be started', async () => {
    const broken = join(root, 'broken')
    writeFileSync(broken, '#!/nowhere\n')
    installRuntime(broken)
    const ended = await finish(start(['now']))
    expect(ended).toEqual({ code: 0, signal: null, out: `${process.execPath} now\n`, err: '' })
  })

  it.each([
    ['wait', { code: null, signal: 'SIGTERM' }],
    ['tidy wait', { code: 5, signal: null }],
  ])('forwards a signal and exits like the child process: %s', async (what, end) => {
    installRuntime()
    const child = start(what.split(' '))
    const ended = finish(child)
    await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject(end)
  })

  it('forwards a signal that comes while it starts the child process', async () => {
    const slow = join(root, 'slow.cjs')
    writeFileSync(
      slow,
      `const child = require('node:child_process')
       const { spawn } = child
       child.spawn = (...command) => {
         const started = spawn(...command)
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
         return started
       }
       require('node:module').syncBuiltinESMExports()`,
    )
    installRuntime()
    const child = start(['wait'], ['--require', slow])
    const ended = finish(child)
    await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  it.runIf(HAS_PROC)(
    'leaves a signal of the console to the process it has started, on Windows',
    async () => {
      const windows = join(root, 'windows.cjs')
      writeFileSync(
        windows,
        `Object.defineProperty(process, 'platform', { value: 'win32' })
       process.on('SIGINT', () => process.stderr.write('told '))`,
      )
      installRuntime(process.execPath, 'win32')
      const child = start(['tidy', 'wait'], ['--require', windows])
      const ended = finish(child)
      await once(child.stdout!, 'data')
      const [, started] = await listTree(child.pid!)
      child.kill('SIGINT')
      await once(child.stderr!, 'data')
      process.kill(started!, 'SIGTERM')
      // Only the process that waits was told: there is no console here.
      expect(await ended).toMatchObject({ code: 5, signal: null, err: 'told ' })
    },
  )

  it.runIf(HAS_PROC)(
    'opens no debugger, neither in the process that waits nor in the one it has started',
    async () => {
      installRuntime()
      const child = start(['wait'])
      await once(child.stdout!, 'data')
      const [waiting, started] = await listTree(child.pid!)
      const found = await findDebuggers([waiting!, started!])
      child.kill('SIGTERM')
      await once(child, 'exit')
      expect(found).toEqual([])
    },
  )

  it('exits with a one-line error on a Node that is too old', async () => {
    const old = join(root, 'old.cjs')
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })
       Object.defineProperty(process, 'version', { value: 'v20.20.2' })`,
    )
    const { code, out, err } = await finish(start(['now'], ['--require', resolve(old)]))
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Stockbridge needs Node 22 or newer, and this is v20\.20\.2: [^\n]+\n$/)
  })
})
