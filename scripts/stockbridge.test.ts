import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import viteConfig from '../vite.config'
import { COMMANDS } from './commands.mjs'

const PROGRAMS = Object.keys(
  viteConfig.environments!.server!.build!.rolldownOptions!.input as Record<string, string>,
)
const { scripts, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  bin: Record<string, string>
}
/** The scripts that a container has. */
const SCRIPTS = readFileSync('deploy/Dockerfile', 'utf8').match(/(?<=\/app\/)scripts\/\S+/g) ?? []

let root: string
let elsewhere: string

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stockbridge-bin-')))
  root = join(folder, 'opt')
  elsewhere = join(folder, 'home')
  for (const path of ['scripts', 'dist/build-1/server', 'dist/build-1/client']) {
    mkdirSync(join(root, path), { recursive: true })
  }
  mkdirSync(elsewhere)
  for (const path of SCRIPTS) copyFileSync(path, join(root, path))
  writeFileSync(
    join(root, 'package.json'),
    '{ "type": "module", "version": "7.8.9", "optionalDependencies": {} }',
  )
  writeFileSync(join(root, 'dist/current'), 'build-1')
  writeFileSync(join(root, 'dist/build-1/client/index.html'), '')
  const program = `console.log(JSON.stringify({
    args: process.argv.slice(2), in: process.cwd(), from: process.env.STOCKBRIDGE_CALLED_FROM }))`
  for (const name of PROGRAMS) writeFileSync(join(root, `dist/build-1/server/${name}.js`), program)
  symlinkSync(join(root, 'scripts/stockbridge.mjs'), join(elsewhere, 'stockbridge'))
})
afterEach(() => rmSync(join(root, '..'), { recursive: true }))

/** As somebody calls it who has a link to it in a folder of programs. */
function call(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(elsewhere, 'stockbridge'), ...args],
    { cwd: elsewhere, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

describe('stockbridge', () => {
  it('runs a command in the folder of the product, and says where it was called', () => {
    const { status, stdout } = call('restore', 'backup.tar', '--replace')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      args: ['backup.tar', '--replace'],
      in: root,
      from: elsewhere,
    })
  })

  it('tells its version', () => {
    expect(call('--version')).toEqual({ status: 0, stdout: '7.8.9\n', stderr: '' })
  })

  it('lists all commands', () => {
    const { status, stdout } = call('--help')
    expect(status).toBe(0)
    for (const [name, { purpose }] of Object.entries(COMMANDS)) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'))
      expect(stdout).toContain(purpose)
    }
  })

  it.each([
    [[], 'Which command?'],
    [['restart'], 'There is no command restart.'],
    [['toString'], 'There is no command toString.'],
    [['start', '--port', '80'], 'It takes no arguments: --port 80'],
  ])('refuses %j', (args, problem) => {
    const { status, stdout, stderr } = call(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.startsWith(`${problem}\n\n`)).toBe(true)
  })

  it('starts nothing when help is asked for', () => {
    const { status, stdout } = call('worker', '--help')
    expect([status, stdout]).toEqual([0, `stockbridge worker: ${COMMANDS.worker?.purpose}\n`])
  })
})

describe('the commands', () => {
  const commands = Object.entries(COMMANDS)

  it.each(commands)('%s runs a program of the build, as npm does', (name, { program }) => {
    expect(PROGRAMS).toContain(program)
    // Containers and orchestrators ask for health, and have no npm.
    const expected = name === 'health' ? undefined : `node scripts/run.mjs ${program}`
    expect(scripts[name]).toBe(expected)
  })

  it('are all that npm runs of the build', () => {
    const run = Object.entries(scripts).filter(([, script]) => script.includes('scripts/run.mjs'))
    expect(run.map(([name]) => name).filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([])
    expect(bin).toEqual({ stockbridge: 'scripts/stockbridge.mjs' })
  })

  it('are described', () => {
    const text = readFileSync('docs/commands.md', 'utf8')
    for (const [name] of commands) expect(text).toContain(name)
  })
})
