import { readFileSync } from 'node:fs'

import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

/** Programs that only run where all tests do: browser and process tests, and measurements. */
const ON_LINUX = /^src\/e2e\/|^src\/portability\.test\.ts$/
/** Where it is decided what differs from system to system, for the product and for the scripts. */
const KNOWS_SYSTEM = ['scripts/runtime.mjs', 'src/server/process/system.ts']
/** What npm puts there is for shells. */
const COMMAND_FOLDER = /(?:^|[/\\])\.bin(?:[/\\]|$)/
/** On Windows, command files that only a shell starts. */
const COMMAND_FILES = new Set(['npm', 'npx'])
const STARTERS = /^(?:spawn|execFile)(?:Sync)?$|^run$/

const OS = /^(?:node:)?os$/
/** Of these, `platform` has a rule of its own. */
const TELLS_SYSTEM = new Set(['type', 'version', 'release', 'default'])

type Node = { type: string; [key: string]: unknown }
type Rule = { rule: string; breaks: (node: Node) => boolean; except?: readonly string[] }

const rules: Rule[] = [
  {
    rule: 'modules are imported by a name or by an address, because Windows takes C: for a scheme',
    breaks: ({ type, source }) => type === 'ImportExpression' && !isNameOrAddress(source as Node),
  },
  {
    rule: 'programs of packages are started by their script',
    breaks: (node) => COMMAND_FOLDER.test(textOf(node)),
  },
  {
    rule: 'npm is started by a shell',
    breaks: ({ type, callee, arguments: args }) =>
      type === 'CallExpression' &&
      STARTERS.test(nameOf(callee as Node)) &&
      COMMAND_FILES.has(textOf((args as Node[])[0])),
  },
  {
    rule: 'links are made only by tests, because Windows reserves them for administrators',
    breaks: (node) => node.type === 'Identifier' && /^symlink(?:Sync)?$/.test(nameOf(node)),
  },
  {
    rule: 'paths are taken from addresses by fileURLToPath, because a path of Windows begins with a letter',
    breaks: ({ type, object, property }) =>
      type === 'MemberExpression' &&
      nameOf(property as Node) === 'pathname' &&
      isOwnAddress(object as Node),
  },
  {
    rule: 'what differs from system to system is decided in one place',
    // By its name alone, so that it does not matter from what it is taken, and how.
    breaks: (node) => (nameOf(node) || textOf(node)) === 'platform',
    except: KNOWS_SYSTEM,
  },
  {
    rule: 'what the module of the system has is imported by its name, and tells not which one it is',
    breaks: ({ type, source, arguments: args, specifiers }) =>
      [source as Node, (args as Node[] | undefined)?.[0]].some((node) => OS.test(textOf(node))) &&
      (type !== 'ImportDeclaration' || (specifiers as Node[]).some(tellsSystem)),
    // It changes the module, for all who import it.
    except: [...KNOWS_SYSTEM, 'src/server/files/children/confine.mjs'],
  },
]

describe('the code runs on every system:', () => {
  const sources = listSources()

  it.each(rules)('$rule', ({ breaks, except = [] }) => {
    expect(sources.length).toBeGreaterThan(500)
    const broken = sources
      .filter(({ file, nodes }) => !except.includes(file) && nodes.some(breaks))
      .map(({ file }) => file)
    expect(broken).toEqual([])
  })

  it.each([
    'await import(join(root, name))',
    'await import(program)',
    'await import(`${root}/main.js`)',
    "spawn(join(root, 'node_modules/.bin', tool))",
    "spawn('node_modules/.bin/vite')",
    'execFile(`${root}/.bin/vite`)',
    "spawn('npm', ['ci'])",
    "execFileSync('npx', ['vite'])",
    'symlinkSync(one, other)',
    "import { symlink } from 'node:fs/promises'",
    "new URL('../client', import.meta.url).pathname",
    "if (process.platform === 'win32') stop()",
    "if (process['platform'] === 'win32') stop()",
    'if (process[`platform`] === name) stop()',
    'if (globalThis.process?.platform === name) stop()',
    'const { platform } = process',
    'const { platform: name } = process',
    'function stop({ platform } = process) {}',
    "import { platform } from 'node:process'",
    "import { platform as nameSystem } from 'os'",
    'if (os.platform() === name) stop()',
    "Reflect.get(process, 'platform')",
    "import os from 'node:os'",
    "import * as os from 'os'",
    "import { default as os } from 'node:os'",
    "import { tmpdir, type as nameSystem } from 'node:os'",
    "import { 'release' as nameRelease } from 'node:os'",
    "export * from 'node:os'",
    "export { type as nameSystem } from 'node:os'",
    "const { type } = await import('node:os')",
    "const { type } = require('os')",
    "const { version } = process.getBuiltinModule('node:os')",
  ])('%s is noticed', (text) => {
    const nodes = listNodes('example.ts', text)
    expect(rules.filter(({ breaks }) => nodes.some(breaks))).toHaveLength(1)
  })

  it.each([
    "await import('./pages/one')",
    'await import(`./pages/${name}`)',
    'await import(pathToFileURL(path).href)',
    "spawn(process.execPath, ['scripts/run.mjs'])",
    "execSync('npm sbom')",
    "fileURLToPath(new URL('../client', import.meta.url))",
    'const { pathname } = new URL(address)',
    "import { tmpdir, type CpuInfo } from 'node:os'",
    "const { type } = await import('node:path')",
    '// Which platform it is, does not matter: its type is `platform`.',
  ])('%s is fine', (text) => {
    const nodes = listNodes('example.ts', text)
    expect(rules.filter(({ breaks }) => nodes.some(breaks))).toEqual([])
  })
})

/** A text that does not begin with a part that is computed, or the `href` of an address. */
function isNameOrAddress(source: Node): boolean {
  if (source.type === 'MemberExpression') return nameOf(source.property as Node) === 'href'
  return textOf(source) !== ''
}

/** Whether an import takes the whole module, or what tells which system it is. */
function tellsSystem({ type, imported }: Node): boolean {
  const node = imported as Node | undefined
  return type !== 'ImportSpecifier' || TELLS_SYSTEM.has(nameOf(node) || textOf(node))
}

function isOwnAddress(node: Node): boolean {
  return listBelow(node).some(({ type }) => type === 'MetaProperty')
}

/** The text of a literal, or what a template begins with. */
function textOf(node: Node | undefined): string {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateElement') return (node.value as { raw: string }).raw
  if (node?.type === 'TemplateLiteral') return textOf((node.quasis as Node[])[0])
  return ''
}

function nameOf(node: Node | undefined): string {
  return typeof node?.name === 'string' ? node.name : ''
}

function listSources() {
  return listPaths('src', 'scripts')
    .filter((file) => /(?<!\.test)\.(?:tsx?|mjs)$/.test(file) && !ON_LINUX.test(file))
    .map((file) => ({ file, nodes: listNodes(file, readFileSync(file, 'utf8')) }))
}

function listNodes(file: string, text: string): Node[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  return listBelow(program)
}

function listBelow(root: unknown): Node[] {
  const found: Node[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value) found.push(value as Node)
    for (const child of Object.values(value)) visit(child)
  }
  visit(root)
  return found
}
