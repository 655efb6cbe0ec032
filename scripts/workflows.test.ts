import { execSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const FOLDER = '.github/workflows'
/** An action, the commit that is used of it, and its version for people and for tools that update it. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[\da-f]{40} # v\d+(?:\.\d+){2}$/

type Workflow = {
  permissions?: Record<string, string>
  jobs: Record<
    string,
    { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }
  >
}

type Component = {
  name: string
  version: string
  properties?: { name: string; value: string }[]
}

const isDevelopment = ({ name, value }: { name: string; value: string }) =>
  name === 'cdx:npm:package:development' && value === 'true'

const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  return { file, text, workflow: parse(text) as Workflow }
})
const steps = workflows.flatMap(({ workflow }) =>
  Object.values(workflow.jobs).flatMap((job) => job.steps),
)

describe.each(workflows)('the workflow $file', ({ file, text, workflow }) => {
  it('uses actions by commit, with their version', () => {
    const lines = text.split('\n').filter((line) => /\buses\b["']?\s*:/.test(line))
    expect(lines.filter((line) => !PINNED.test(line))).toEqual([])
    const used = Object.values(workflow.jobs).flatMap((job) =>
      job.steps.flatMap(({ uses }) => uses),
    )
    expect(lines).toHaveLength(used.filter(Boolean).length)
  })

  it('may only read the repository, and publish nothing but an image', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const granted = Object.values(workflow.jobs).flatMap(({ permissions = {} }) =>
      Object.entries(permissions),
    )
    const more = granted.filter(([, level]) => level !== 'read')
    // Only a release publishes something: its image.
    const published = more.map(([name]) => name)
    expect([...new Set(published)]).toEqual(file === 'release.yml' ? ['packages'] : [])
  })
})

it('the list of packages has all of the product, and marks those of its development', () => {
  const command = steps.flatMap(({ run }) => run ?? []).find((run) => run.startsWith('npm sbom'))
  const [list = '', file] = command?.split(' > ') ?? []
  expect(file).toBe('sbom.cdx.json')
  const { bomFormat, components } = JSON.parse(
    execSync(list, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  ) as { bomFormat: string; components: Component[] }
  expect(bomFormat).toBe('CycloneDX')
  const toNames = (listed: Component[]) => listed.map(({ name, version }) => `${name}@${version}`)
  const marked = components.filter(({ properties = [] }) => properties.some(isDevelopment))
  const all = new Set(toNames(components))
  const ofDevelopment = new Set(toNames(marked))
  const toPinned = (packages: object) => Object.entries(packages).map((pair) => pair.join('@'))
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: object
    devDependencies: Record<string, string>
  }
  const missing = (name: string) => !all.has(name) || ofDevelopment.has(name)
  expect(toPinned(dependencies).filter(missing)).toEqual([])
  const { vitest, react } = devDependencies
  expect([...ofDevelopment]).toEqual(expect.arrayContaining(toPinned({ vitest, react })))
})
