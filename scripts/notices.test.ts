import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import packageJson from '../package.json'
import { listProductionPackages, toNotices } from './notices.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockbridge-notices-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function addPackage(name: string, files: Record<string, string>, more: object = {}): string {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, license: 'MIT', ...more }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

describe('the notices', () => {
  it('have each text once, with all packages that have it', () => {
    const one = addPackage('one', { LICENSE: 'Copyright A\r\nMay be used.\r\n' })
    const two = addPackage('two', { 'license.md': 'Copyright A\nMay be used.' })
    const other = addPackage('other', { LICENCE: 'Copyright B', NOTICE: 'Contains C.' })
    const notices = toNotices([two, one, other])
    expect(notices).toContain('one\ntwo\n\nCopyright A\nMay be used.\n')
    expect(notices).toContain('other\n\nCopyright B\n\nContains C.\n')
    expect(notices.split('May be used.')).toHaveLength(2)
  })

  it('have what a package without a file states', () => {
    const bare = addPackage('bare', {}, { author: { name: 'Somebody' } })
    expect(toNotices([bare])).toContain('bare\n\nLicense: MIT\nAuthor: Somebody\n')
  })

  it('are those of what is installed for production, and nothing else', () => {
    const folders = listProductionPackages(resolve('.'))
    const names = new Set(folders.map((path) => path.split('node_modules/').at(-1)))
    for (const name of Object.keys(packageJson.dependencies)) expect(names).toContain(name)
    expect(names).toContain('@smithy/types')
    for (const name of ['vitest', 'standardwebhooks', 'oxlint']) expect(names).not.toContain(name)
    expect(folders.filter((path) => /^node-(?:bin|linux|darwin|win)/.test(basename(path)))).toEqual(
      [],
    )
  })
})
