// The notices of third parties that the build carries: the licences of all packages of which it has code, or
// which it needs to run. Written anew by each build, from what is installed.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FILE_NAME = 'third-party-notices.txt'
const LICENSE_FILE = /^(?:licen[sc]e|copying|notice)/i
const LINE = `\n\n${'-'.repeat(80)}\n\n`

/** What both bundlers add to a bundle has no path. */
const OWN_MODULE = /^\0(vite|rolldown)\//
const MODULE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

/**
 * Adds the notices to each side of the build: those of the packages in the bundle to the client, where anyone
 * may read them, and those of all packages that are installed for production to the server.
 * @param {string} root @returns {import('vite').Plugin}
 */
export function thirdPartyNotices(root) {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle() {
      const folders =
        this.environment.name === 'client'
          ? listBundledPackages(root, [...this.getModuleIds()])
          : listProductionPackages(root)
      this.emitFile({ type: 'asset', fileName: FILE_NAME, source: toNotices(folders) })
    },
  }
}

/** The folders of the packages that modules are in. @param {string} root @param {string[]} moduleIds */
function listBundledPackages(root, moduleIds) {
  const folders = moduleIds.flatMap((id) => {
    const own = OWN_MODULE.exec(id)?.[1]
    const folder = own ? join(root, 'node_modules', own) : MODULE.exec(id.replace(/^\0/, ''))?.[0]
    return folder ?? []
  })
  return [...new Set(folders)]
}

/**
 * The folders of the packages that `npm ci --omit=dev` installs for this system, without Node itself, which has its
 * licence beside it. @param {string} root
 */
export function listProductionPackages(root) {
  /** @type {{ packages: Record<string, { dev?: boolean, optionalDependencies?: Record<string, string> }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const runtimes = Object.keys(packages['']?.optionalDependencies ?? {})
  const isShipped = (/** @type {string} */ path) =>
    path !== '' && !packages[path]?.dev && !runtimes.includes(path.replace('node_modules/', ''))
  return Object.keys(packages)
    .filter(isShipped)
    .map((path) => join(root, path))
    .filter((folder) => existsSync(join(folder, 'package.json')))
}

/**
 * The licences of packages, each text once, with the packages that have it. A package without a file has
 * what it states. @param {string[]} folders
 */
export function toNotices(folders) {
  /** @type {Map<string, string[]>} */
  const namesByText = new Map()
  for (const { name, text } of folders.map(readLicense)) {
    namesByText.set(text, [...(namesByText.get(text) ?? []), name])
  }
  const parts = [...namesByText].map(
    ([text, names]) => `${[...new Set(names)].toSorted().join('\n')}\n\n${text}`,
  )
  return `${['This product has code of the following packages.', ...parts.toSorted()].join(LINE)}\n`
}

/** @param {string} folder */
function readLicense(folder) {
  const { name, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = listFiles(folder).filter((file) => LICENSE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const holder = typeof author === 'string' ? author : author?.name
  const stated = [`License: ${license}`, holder && `Author: ${holder}`].filter(Boolean).join('\n')
  const text = texts.length > 0 ? texts.join('\n\n') : stated
  return { name, text: text.replaceAll('\r\n', '\n').trim() }
}

/** The names of files. @param {string} folder */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()
}
