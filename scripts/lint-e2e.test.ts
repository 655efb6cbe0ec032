import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

type Diagnostic = { code: string; message: string; filename: string }

const inTest = (code: string) => `it('works', async () => {\n${code}\n})\n`

const FINE: [what: string, code: string][] = [
  ['in expect.poll', inTest('await expect.poll(() => field.inputValue()).toBe(1)')],
  ['in expect.poll, within more', inTest('await expect.poll(async () => (await cells.all())[3])')],
  ['in until', inTest('await until(() => rows.count(), Boolean)')],
  ['by name in expect.poll', `const shown = () => page.title()\n${inTest('expect.poll(shown)')}`],
  [
    'of a function that is called in expect.poll',
    `async function shown(page) { return page.title() }\n${inTest('expect.poll(() => shown(page))')}`,
  ],
  ['of a shared function', 'export const messageOf = (field) => field.innerText()'],
  ['in the page itself', inTest('await page.addInitScript(() => node.getAttribute("lang"))')],
  ['that is an act', inTest('await page.evaluate(() => window.open("/"))')],
  ['of a request', inTest('page.on("request", (request) => hosts.add(request.url()))')],
  ['of something else', inTest('await Promise.all(rows)\nfeedServer.url("/stock.csv")')],
  ['with a reason', inTest('// Read once: it has stopped.\nconst box = await toast.boundingBox()')],
  [
    'with a reason, in a function',
    `function place() {\n// Read once: it has stopped.\nreturn toast.boundingBox()\n}\n${inTest('await place()')}`,
  ],
]

const SINGLE: [what: string, code: string, reported: string][] = [
  ['in expect', inTest('expect(await field.inputValue()).toBe(1)'), 'inputValue'],
  ['of the address', inTest('expect(page.url()).toBe(1)'), 'url'],
  ['into a variable', inTest('const rows = await table.all()'), 'all'],
  ['in a condition', inTest('if (await button.isVisible()) return'), 'isVisible'],
  ['by a script', inTest('const x = await page.evaluate(() => scrollX)'), 'evaluate'],
  ['of what a program has printed', inTest('expect(worker.output()).toMatch("x")'), 'output'],
  ['in another function', inTest('tabs.map((tab) => tab.title())'), 'title'],
  ['of a shared function', inTest('expect(await messageOf(field)).toBe("")'), 'messageOf'],
  ['in a new shared function', 'export const titleOf = (page) => page.title()', 'title'],
  [
    'through two functions',
    `const one = () => page.title()\nconst two = () => one()\n${inTest('expect(await two())')}`,
    'two',
  ],
  ['with an empty reason', inTest('// Read once:\nexpect(await rows.count())'), 'count'],
  ['with another comment', inTest('// It is there.\nexpect(await rows.count())'), 'count'],
]

const VAIN = ['await page.waitForTimeout(500)', 'await page.waitForLoadState("networkidle")']

describe('the lint rules for e2e tests', () => {
  /** Reported rules with the first word of their messages, by file name. */
  const reported = new Map<string, string[]>()

  beforeAll(() => {
    const root = mkdtempSync(join(tmpdir(), 'stockbridge-lint-'))
    const folder = join(root, 'src/e2e')
    mkdirSync(folder, { recursive: true })
    const scripts = join(process.cwd(), 'scripts/')
    const text = readFileSync('.oxlintrc.json', 'utf8').replaceAll('./scripts/', scripts)
    const config = JSON.parse(text) as object
    // These rules need no types, and finding types needs another program.
    const own = { ...config, options: { typeAware: false } }
    writeFileSync(join(root, '.oxlintrc.json'), JSON.stringify(own))
    const write = (name: string, code: string) => writeFileSync(join(folder, `${name}.ts`), code)
    for (const [index, [, code]] of FINE.entries()) write(`fine-${index}`, code)
    for (const [index, [, code]] of SINGLE.entries()) write(`single-${index}`, code)
    for (const [index, code] of VAIN.entries()) write(`vain-${index}`, inTest(code))
    for (const { code, message, filename } of lint(root)) {
      if (!code.startsWith('e2e(')) continue
      const name = basename(filename, '.ts')
      reported.set(name, [...(reported.get(name) ?? []), `${code} ${message.split(' ')[0]}`])
    }
    rmSync(root, { recursive: true })
  })

  it.each(FINE.map(([what], index) => [what, index] as const))(
    'allow a read of a page %s',
    (_what, index) => {
      expect(reported.get(`fine-${index}`)).toBe(undefined)
    },
  )

  it.each(SINGLE.map(([what, , name], index) => [what, name, index] as const))(
    'reject a single read of a page %s',
    (_what, name, index) => {
      expect(reported.get(`single-${index}`)).toEqual([`e2e(no-single-read) ${name}`])
    },
  )

  it.each(VAIN.map((code, index) => [code, index] as const))('reject %s', (_code, index) => {
    expect(reported.get(`vain-${index}`)).toEqual(['e2e(no-vain-wait) Wait'])
  })
})

/** Runs oxlint in a folder. It exits with 1 when it reports anything. */
function lint(root: string): Diagnostic[] {
  const command = [join(process.cwd(), 'node_modules/oxlint/bin/oxlint'), '--format', 'json']
  try {
    execFileSync(process.execPath, command, { cwd: root, stdio: 'pipe', encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    if (!stdout.startsWith('{')) throw new Error(stdout + stderr, { cause: error })
    return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics
  }
  throw new Error('oxlint reported nothing')
}
