import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const BUILT_AT = new Date('2026-01-15T03:00:00Z')
const LATER = new Date('2026-01-15T03:00:01Z')
const WHAT_TO_DO =
  'Stockbridge must be built, and what builds it is not installed: NODE_ENV=production and --omit=dev leave it out. ' +
  'Run npm ci --include=dev && npm run build.\n'

/** A built installation without the packages that the build needs. */
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stockbridge-run-'))
  write('package.json', '{ "type": "module", "optionalDependencies": {} }')
  for (const path of ['src/main.ts', 'vite.config.ts', 'tsconfig.json']) write(path, '')
  for (const name of ['run', 'build', 'build-product', 'current-build', 'runtime']) {
    const path = join(root, `scripts/${name}.mjs`)
    write(`scripts/${name}.mjs`, '')
    copyFileSync(`scripts/${name}.mjs`, path)
    utimesSync(path, BUILT_AT, BUILT_AT)
  }
  for (const path of ['package-lock.json', 'dist/build-1/package-lock.json']) write(path, '{}')
  write('dist/current', 'build-1')
  write('dist/build-1/client/index.html', '')
  write('dist/build-1/server/doctor.js', 'console.log("It runs", ...process.argv.slice(2))')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, content: string, changedAt = BUILT_AT): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  utimesSync(join(root, path), changedAt, changedAt)
}

function start(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const run = () => start('scripts/run.mjs', 'doctor', '--quick')
const RUNS = { status: 0, stdout: 'It runs --quick\n', stderr: '' }
const REFUSES = { status: 1, stdout: '', stderr: WHAT_TO_DO }

describe('an installation without the packages of the build', () => {
  it('runs what was built', () => {
    expect(run()).toEqual(RUNS)
  })

  it('runs after npm has written its unchanged list of packages again', () => {
    write('package-lock.json', '{}', LATER)
    expect(run()).toEqual(RUNS)
  })

  it('runs without sources', () => {
    rmSync(join(root, 'src'), { recursive: true })
    rmSync(join(root, 'package-lock.json'))
    expect(run()).toEqual(RUNS)
  })

  it.each([
    ['nothing was built', () => rmSync(join(root, 'dist'), { recursive: true })],
    ['a source has changed', () => write('src/server/new.ts', '', LATER)],
    ['it has other packages', () => write('package-lock.json', '{ "lockfileVersion": 3 }')],
    [
      'the build is of a version before',
      () => rmSync(join(root, 'dist/build-1/package-lock.json')),
    ],
  ])('says how to build when %s', (_, change) => {
    change()
    expect(run()).toEqual(REFUSES)
    expect(statSync(join(root, 'dist/build.lock'), { throwIfNoEntry: false })).toBeUndefined()
  })

  it('says how to build when it is to be built', () => {
    expect(start('scripts/build.mjs')).toEqual(REFUSES)
  })
})
