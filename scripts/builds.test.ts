import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { publishBuild } from './builds.mjs'

let dist: string

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'stockbridge-test-'))
})
afterEach(() => rmSync(dist, { recursive: true, force: true }))

function build(name: string): string {
  const folder = join(dist, name)
  mkdirSync(folder)
  publishBuild(folder)
  return folder
}

it('makes the newest build the current one and keeps the previous one', () => {
  const first = build('build-1')
  const second = build('build-2')
  expect(readlinkSync(join(dist, 'current'))).toBe(basename(second))
  expect(existsSync(first)).toBe(true)
})

it('removes all but the last three builds', () => {
  const folders = ['build-1', 'build-2', 'build-3', 'build-4'].map(build)
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true, true])
})
