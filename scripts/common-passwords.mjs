// The list of common passwords that the client is built with: the commonest of the package's, because all of them would
// be four times as many bytes, and what is left out is still told by its patterns.
import { readFileSync } from 'node:fs'

const COMMONEST = 10_000
const MODULE = /@zxcvbn-ts\/language-common\/dist\/passwords\.json\.mjs$/

/** Shortens the list of common passwords. @returns {import('vite').Plugin} */
export function commonPasswords() {
  return {
    name: 'common-passwords',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!MODULE.test(id)) return null
      const path = id.replace('/dist/', '/src/').replace(/\.mjs$/, '')
      const list = /** @type {string[]} */ (JSON.parse(readFileSync(path, 'utf8')))
      return `export default ${JSON.stringify(list.slice(0, COMMONEST).join(' '))}.split(' ')`
    },
  }
}
