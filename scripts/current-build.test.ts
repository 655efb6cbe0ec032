import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { publishBuild } from './builds.mjs'
import { findCurrentBuild, findProgram, setCurrentBuild } from './current-build.mjs'

const BUILDS = pathToFileURL('scripts/builds.mjs').href

let dist: string

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'stockbridge-test-'))
})
afterEach(() => rmSync(dist, { recursive: true, force: true }))

function makeBuild(name: string): string {
  const folder = join(dist, name)
  mkdirSync(folder)
  return folder
}

/** Publishes a build in a process of its own. @param before a module that runs first */
function publishIn(build: string, before = ''): Promise<unknown[]> {
  const script = `${before}
    const { publishBuild } = await import(${JSON.stringify(BUILDS)})
    publishBuild(${JSON.stringify(build)})`
  const args = ['--input-type=module', '--eval', script]
  return once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')
}

/** Renames fail at first, as on Windows while the name is being read. */
const HELD = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { renameSync } = fs
  let count = 0
  fs.renameSync = (from, to) => {
    if (count++ < 3) throw Object.assign(new Error('held'), { code: 'EPERM' })
    renameSync(from, to)
  }
  syncBuiltinESMExports()`

/** Ends the process where the name of the build would be put in its place. */
const KILLED = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  fs.renameSync = () => process.kill(process.pid, 'SIGKILL')
  syncBuiltinESMExports()`

describe('the current build', () => {
  it('is none before the first one', () => {
    expect(findCurrentBuild(dist)).toBeUndefined()
    expect(findCurrentBuild(join(dist, 'missing'))).toBeUndefined()
    expect(findProgram(dist, 'main')).toBeUndefined()
  })

  it('is named by a file, and no link is made', () => {
    const build = makeBuild('build-1')
    setCurrentBuild(build)
    expect(findCurrentBuild(dist)).toBe(build)
    const kinds = readdirSync(dist, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isFile(),
      entry.isSymbolicLink(),
    ])
    expect(kinds).toEqual([
      ['build-1', false, false],
      ['current', true, false],
    ])
  })

  it.each([
    '',
    'build-',
    '..',
    'build-1/..',
    '/etc',
    'build-1\n',
    'build-1\0',
    String.raw`build-1\..`,
  ])('is none when the file has the text %j', (text) => {
    makeBuild('build-1')
    writeFileSync(join(dist, 'current'), text)
    expect(findCurrentBuild(dist)).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('takes the place of the link of an older version', () => {
    const old = makeBuild('build-1')
    symlinkSync('build-1', join(dist, 'current'))
    expect(findCurrentBuild(dist)).toBeUndefined()
    const build = makeBuild('build-2')
    publishBuild(build)
    expect(findCurrentBuild(dist)).toBe(build)
    expect(readdirSync(old)).toEqual([])
  })

  it('is always a whole one while two are published at once', async () => {
    for (const name of ['build-1', 'build-2']) publishBuild(makeBuild(name))
    const builds = ['build-3', 'build-4'].map(makeBuild)
    const published = builds.map((build) => publishIn(build))
    const seen = new Set<string | undefined>()
    const look = setInterval(() => seen.add(findCurrentBuild(dist)))
    const ends = await Promise.all(published).finally(() => clearInterval(look))
    expect(ends).toEqual(builds.map(() => [0, null]))
    expect(builds).toContain(findCurrentBuild(dist))
    expect([join(dist, 'build-2'), ...builds]).toEqual(expect.arrayContaining([...seen]))
    expect(readdirSync(dist)).toEqual(['build-2', 'build-3', 'build-4', 'current'])
  })

  it('is named once nobody has the name open any more', async () => {
    publishBuild(makeBuild('build-1'))
    const build = makeBuild('build-2')
    expect(await publishIn(build, HELD)).toEqual([0, null])
    expect(findCurrentBuild(dist)).toBe(build)
  })

  it.skipIf(process.platform === 'win32')(
    'stays when a process is killed while it publishes another one',
    async () => {
      const first = makeBuild('build-1')
      publishBuild(first)
      expect(await publishIn(makeBuild('build-2'), KILLED)).toEqual([null, 'SIGKILL'])
      expect(findCurrentBuild(dist)).toBe(first)
      // What it has left goes with its folder.
      for (const name of ['build-3', 'build-4', 'build-5']) publishBuild(makeBuild(name))
      expect(findCurrentBuild(dist)).toBe(join(dist, 'build-5'))
      expect(readdirSync(dist)).toEqual(['build-3', 'build-4', 'build-5', 'current'])
    },
  )
})
