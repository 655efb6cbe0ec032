import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { resolveConfig } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { findRevision, namePageFiles, publishBuild } from './builds.mjs'
import { findCurrentBuild } from './current-build.mjs'

/** Containers that run the tests may have none. */
const hasGit = spawnSync('git', ['--version']).status === 0

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
  expect(findCurrentBuild(dist)).toBe(second)
  expect(existsSync(first)).toBe(true)
})

it('removes all but the last three builds', () => {
  const folders = ['build-1', 'build-2', 'build-3', 'build-4'].map(build)
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true, true])
})

it('knows the commit from REVISION where there is no git', () => {
  expect(findRevision(dist, {})).toBe('')
  expect(findRevision(dist, { REVISION: 'abc' })).toBe('abc')
})

it.skipIf(!hasGit)('knows the commit from git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dist, ...args], { encoding: 'utf8' })
  git('init', '--quiet')
  expect(findRevision(dist, {})).toBe('')
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'First')
  expect(git('rev-parse', 'HEAD').startsWith(findRevision(dist, {}))).toBe(true)
  expect(findRevision(dist, {})).toMatch(/^[\da-f]{12}$/)
})

it.each([
  ['build', JSON.stringify('abc')],
  ['serve', undefined],
] as const)('looks the commit up for builds only: %s', async (command, expected) => {
  vi.stubEnv('REVISION', 'abc')
  const configFile = resolve('vite.config.ts')
  const { define } = await resolveConfig({ configFile, logLevel: 'silent' }, command)
  vi.unstubAllEnvs()
  expect(define?.REVISION).toBe(expected)
})

it('keeps a build made while the clock was behind that of older ones', () => {
  const older = ['build-6', 'build-7', 'build-8'].map(build)
  const newest = build('build-5')
  expect(findCurrentBuild(dist)).toBe(newest)
  expect([newest, ...older].map((folder) => existsSync(folder))).toEqual([true, false, true, true])
})

it('names in each page all files that it loads at first, once: the font and the style sheets after what it shows', () => {
  const page = [
    '<head><script src="/assets/index.js"></script>',
    '<link rel="stylesheet" crossorigin href="/assets/index.css"></head><body><div id="root"></div></body>',
  ]
  writeFileSync(join(dist, 'index.html'), page.join('\n'))
  mkdirSync(join(dist, '.vite'))
  const names = [
    'upload.page',
    'invitation.page',
    'role-administrator',
    'role-supplier',
    'role-retailer',
    'rows',
    'shop',
  ]
  const chunks = {
    'inter-latin-wght-normal.woff2': { file: 'inter-latin-wght-normal-Dx4.woff2' },
    'index.html': { file: 'index.js', name: 'index', isEntry: true, css: ['index.css'] },
    frame: { file: 'frame.js', name: 'frame', imports: ['index.html'], css: ['frame.css'] },
    // Chunks may import each other.
    shared: { file: 'shared.js', name: 'shared', imports: ['frame', 'role-supplier'] },
    ...Object.fromEntries(
      names.map((name) => [name, { file: `${name}.js`, name, imports: ['shared', 'index.html'] }]),
    ),
  }
  writeFileSync(join(dist, '.vite/manifest.json'), JSON.stringify(chunks))
  namePageFiles(dist)
  const filesOf = (name: string) =>
    [...readFileSync(join(dist, name), 'utf8').matchAll(/rel="(\w+)".*?href="\/([^"]+)"/g)].map(
      ([, rel, file]) => `${rel} ${file}`,
    )
  const font = 'preload inter-latin-wght-normal-Dx4.woff2'
  expect(filesOf('auth.html')).toEqual(['preload index.css', font, 'stylesheet index.css'])
  expect(filesOf('index.html')).toEqual([
    'preload index.css',
    'preload frame.css',
    'modulepreload frame.js',
    font,
    'stylesheet index.css',
    'stylesheet frame.css',
  ])
  expect(filesOf('supplier.html')).toEqual([
    'preload index.css',
    'preload frame.css',
    'modulepreload frame.js',
    'modulepreload shared.js',
    'modulepreload role-supplier.js',
    font,
    'stylesheet index.css',
    'stylesheet frame.css',
  ])
  expect(filesOf('retailer-shop.html').filter((file) => file.startsWith('modulepreload'))).toEqual([
    'modulepreload frame.js',
    'modulepreload role-supplier.js',
    'modulepreload shared.js',
    'modulepreload role-retailer.js',
    'modulepreload shop.js',
  ])
  expect(existsSync(join(dist, '.vite'))).toBe(false)
})
