import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * The script of a program that an installed package has, to be run by this Node. What npm puts into
 * node_modules/.bin cannot be started everywhere: on Windows these are command files, for a shell.
 * @param {string} tool @param {string} [from] its package, if that has another name @returns {string}
 */
export function findTool(tool, from = tool) {
  const folder = join(root, 'node_modules', from)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[tool])
}
