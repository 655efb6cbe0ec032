import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { openRepository, RESULTS } from './repository'

/** The container in which all tests run on a push has none. */
const hasGit = spawnSync('git', ['--version']).status === 0

let root: string
let source: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stockbridge-repository-'))
  source = join(root, 'source.ts')
  mkdirSync(dirname(join(root, RESULTS)), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

function git(...args: string[]): string {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  return execFileSync('git', [...author, ...args], { cwd: root, encoding: 'utf8' })
}

it('outside of a repository there are no sources', async () => {
  expect(await openRepository(root).readSources()).toBeUndefined()
})

it.skipIf(!hasGit)(
  'sources are changed by any file but the results, also by one that is new',
  async () => {
    const { readSources, writeResults } = openRepository(root)
    const isChanged = async () => (await readSources())?.isChanged
    git('init', '--quiet')
    writeFileSync(source, 'committed')
    git('add', '.')
    git('commit', '--quiet', '--message', 'First')
    const commit = git('rev-parse', 'HEAD').trim()
    expect(await readSources()).toEqual({ commit, isChanged: false })

    await writeResults('figures')
    expect(readFileSync(join(root, RESULTS), 'utf8')).toBe('figures')
    expect(await isChanged()).toBe(false)

    writeFileSync(source, 'changed')
    expect(await isChanged()).toBe(true)
    git('checkout', '--quiet', '.')
    expect(await isChanged()).toBe(false)
    writeFileSync(join(root, 'new.ts'), '')
    expect(await isChanged()).toBe(true)
  },
)
