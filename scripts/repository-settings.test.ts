import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const FOLDER = '.github/ISSUE_TEMPLATE'

type Field = {
  type: string
  id?: string
  attributes: { label?: string; value?: string }
  validations?: { required: boolean }
}
type Form = { name: string; description: string; labels: string[]; body: Field[] }

const read = (path: string) => parse(readFileSync(path, 'utf8')) as unknown
const files = readdirSync(FOLDER).filter((file) => file !== 'config.yml')

describe.each(files)('the form %s', (file) => {
  const { name, description, labels, body } = read(join(FOLDER, file)) as Form
  const fields = body.filter(({ type }) => type !== 'markdown')

  it('has a name, a label, and fields with an id of their own', () => {
    for (const text of [name, description]) expect(text).toMatch(/\w/)
    expect(labels).toHaveLength(1)
    const ids = fields.map(({ id }) => id)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { attributes } of fields) expect(attributes.label).toMatch(/\w/)
    expect(fields.some(({ validations }) => validations?.required)).toBe(true)
  })

  it('sends weaknesses in security elsewhere', () => {
    expect(body[0]?.attributes.value).toContain('(../security/policy)')
    expect(existsSync('SECURITY.md')).toBe(true)
  })
})

it('issues are opened with a form only', () => {
  expect(files.toSorted()).toEqual(['bug.yml', 'idea.yml'])
  expect(read(join(FOLDER, 'config.yml'))).toEqual({ blank_issues_enabled: false })
})

describe('updates of dependencies', () => {
  type Update = {
    'package-ecosystem': string
    directory: string
    schedule: { interval: string }
    groups: Record<string, { 'dependency-type'?: string; patterns?: string[] }>
  }
  const { version, updates } = read('.github/dependabot.yml') as {
    version: number
    updates: Update[]
  }

  it('come weekly and in groups, for packages and actions', () => {
    expect(version).toBe(2)
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions'])
    for (const { directory, schedule, groups } of updates) {
      expect([directory, schedule.interval]).toEqual(['/', 'weekly'])
      for (const group of Object.values(groups)) {
        expect(group['dependency-type'] ?? group.patterns).toBeDefined()
      }
    }
  })
})
