import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { listPaths } from '../src/server/testing/fixtures/list-paths'

type Job = { os: string; container?: string; tests: string }
type Package = {
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type System = { os: string; cpu: string; libc?: string }

/** The systems that the README names, by the machine that tries them. */
const SYSTEMS: Record<string, System> = {
  'ubuntu-24.04': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'ubuntu-24.04-arm': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'macos-15': { os: 'darwin', cpu: 'arm64' },
  'macos-15-intel': { os: 'darwin', cpu: 'x64' },
  'windows-2025': { os: 'win32', cpu: 'x64' },
}
/** A helper that each of its users does without on systems that it has no package for. */
const DISPENSABLE = /^node_modules\/(?:recheck|msgpackr-extract)$/

const { strategy, steps } = (
  parse(readFileSync('.github/workflows/test.yml', 'utf8')) as {
    jobs: {
      systems: {
        strategy: { matrix: { os: string[]; tests: string[]; include: Job[] } }
        steps: { run?: string }[]
      }
    }
  }
).jobs.systems
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Package>
}
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}

describe('every system that the product is for', () => {
  const { os, tests, include } = strategy.matrix

  it('has a job that installs, checks, tests, and runs the product and a backup', () => {
    const runners = [...os, ...include.map((job) => job.os)]
    expect(runners.toSorted()).toEqual(Object.keys(SYSTEMS).toSorted())
    const commands = steps.flatMap(({ run }) => run ?? [])
    expect(commands).toEqual([
      'npm ci',
      'npm run check',
      '${{ matrix.tests }}',
      'npm run demo:try',
      'npm run backup',
    ])
  })

  it('has tests that exist', () => {
    const commands = [...tests, ...include.map((job) => job.tests)]
    for (const command of commands) {
      const script = scripts[command.split(' ').at(-1) ?? ''] ?? ''
      expect(script, command).not.toBe('')
      for (const path of script.match(/(?<= )(?:src|scripts)\/\S+/g) ?? []) {
        expect(
          files.filter((file) => file.startsWith(path)),
          path,
        ).not.toEqual([])
      }
    }
  })

  it.each(Object.entries(SYSTEMS))('can be installed from the lockfile: %s', (_runner, system) => {
    const families = Object.entries(packages).filter(
      ([path, { optionalDependencies = {} }]) =>
        !DISPENSABLE.test(path) && Object.keys(optionalDependencies).filter(isNative).length > 1,
    )
    expect(families.length).toBeGreaterThan(8)
    const missing = families.filter(
      ([, { optionalDependencies = {} }]) =>
        !Object.keys(optionalDependencies).some((name) => fits(find(name), system)),
    )
    expect(missing.map(([path]) => path)).toEqual([])
  })
})

const files = listPaths('src', 'scripts')

const find = (name: string) => packages[`node_modules/${name}`]
const isNative = (name: string) => find(name)?.cpu !== undefined

/** Whether npm installs a package there. One that names no C library is for all of them. */
function fits(found: Package | undefined, { os, cpu, libc }: System): boolean {
  if (!found?.os?.includes(os) || !found.cpu?.includes(cpu)) return false
  return libc === undefined || found.libc === undefined || found.libc.includes(libc)
}
