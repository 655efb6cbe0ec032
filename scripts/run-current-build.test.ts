import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { publishBuild } from './builds.mjs'

const run = promisify(execFile)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockbridge-run-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The scripts that a container has. */
const SCRIPTS = readFileSync('deploy/Dockerfile', 'utf8').match(/(?<=\/app\/)scripts\/\S+/g)

/** An installation without sources, as in a container. */
function install(root: string): void {
  mkdirSync(join(root, 'scripts'), { recursive: true })
  for (const path of SCRIPTS ?? []) copyFileSync(path, join(root, path))
  writeFileSync(join(root, 'package.json'), '{ "optionalDependencies": {} }')
}

function addBuild(root: string, name: string, program: string): void {
  const build = join(root, 'dist', name)
  for (const part of ['server', 'client']) mkdirSync(join(build, part), { recursive: true })
  writeFileSync(join(build, 'client/index.html'), '')
  writeFileSync(join(build, 'server/main.js'), program)
  writeFileSync(join(build, 'server/package.json'), '{ "type": "module" }')
  publishBuild(build)
}

const start = (root: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'scripts/run.mjs'), ...args])

it.each(['plain', 'with blanks', 'a#b', '100%25', "it's {new} & ½"])(
  'runs the current build in a folder named %s',
  async (name) => {
    const root = join(folder, name)
    install(root)
    addBuild(root, 'build-1', "console.log('old')")
    addBuild(root, 'build-2', 'console.log(process.argv.slice(2))')
    const { stdout } = await start(root, 'main', '--help')
    expect(stdout).toBe("[ '--help' ]\n")
  },
)

it('keeps the files of a program that has started while others are published', async () => {
  install(folder)
  const program = `
    import { execFileSync } from 'node:child_process'
    execFileSync(process.execPath, [process.env.PUBLISH])
    const { text } = await import('./later.js')
    console.log(text)`
  addBuild(folder, 'build-1', program)
  writeFileSync(join(folder, 'dist/build-1/server/later.js'), "export const text = 'of the first'")
  const publish = join(folder, 'publish.mjs')
  const dist = JSON.stringify(join(folder, 'dist'))
  writeFileSync(
    publish,
    `import { mkdirSync } from 'node:fs'
     import { join } from 'node:path'
     import { publishBuild } from ${JSON.stringify(new URL('builds.mjs', import.meta.url))}
     for (const name of ['build-2', 'build-3']) {
       mkdirSync(join(${dist}, name))
       publishBuild(join(${dist}, name))
     }`,
  )
  const { stdout } = await run(process.execPath, [join(folder, 'scripts/run.mjs'), 'main'], {
    env: { ...process.env, PUBLISH: publish },
  })
  expect(stdout).toBe('of the first\n')
})
