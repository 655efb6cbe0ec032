// The steps of `npm run check` and `npm test`: runs tools, one by one or in parallel, and
// summarizes their results.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { findTool } from './find-tool.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The packages of tools with another name. @type {Record<string, string>} */
const PACKAGES = { tsc: 'typescript' }
// Tools start others, whose shebang lines look up `node` in PATH.
const PATH = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter)

/** @type {{ name: string, result: 'ok' | 'failed' | 'not run', seconds: number, note: string }[]} */
const steps = []

/**
 * @typedef {object} StepOptions
 * @property {Record<string, string>} [env]
 * @property {boolean} [isParallel] prints its output when it has ended
 */

/**
 * Runs a tool of an installed package.
 * @param {string} name @param {string[]} command @param {StepOptions} [options]
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function step(name, [tool = '', ...args], options = {}) {
  const { env, isParallel = false } = options
  if (!isParallel) process.stdout.write(`\n── ${name}\n`)
  const started = Date.now()
  const child = spawn(process.execPath, [findTool(tool, PACKAGES[tool]), ...args], {
    cwd: root,
    env: { ...process.env, PATH, ...env },
    stdio: isParallel ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const printed = [child.stdout, child.stderr].map(async (stream) => (stream ? text(stream) : ''))
  const isFine = (await ended) === 0
  const seconds = (Date.now() - started) / 1000
  if (isParallel) {
    process.stdout.write(`\n── ${name}\n${(await Promise.all(printed)).filter(Boolean).join('')}`)
  }
  steps.push({ name, result: isFine ? 'ok' : 'failed', seconds, note: '' })
  return isFine
}

/** @param {string} name @param {string} note the reason */
export function notRun(name, note) {
  steps.push({ name, result: 'not run', seconds: 0, note })
}

/** Runs the checks that need no test, in parallel: types, lint, format and unused code. */
export async function runChecks() {
  const options = { isParallel: true }
  // Go's garbage collection takes a fifth of the time, and both run for seconds only. Near the limit it takes half.
  const ofTypes = { ...options, env: { GOGC: 'off', GOMEMLIMIT: '4GiB' } }
  await Promise.all([
    // Several checkers would each check the same types again.
    step('types', ['tsc', '--checkers', '1'], ofTypes),
    step('lint', ['oxlint', '--deny-warnings'], ofTypes),
    step('format', ['oxfmt', '--check', '.'], options),
    step('unused code', ['knip'], options),
  ])
}

/** Prints the result of each step. @returns {boolean} whether all succeeded */
export function summarize() {
  process.stdout.write(`\n── summary, on Node ${process.version}\n`)
  for (const { name, result, seconds, note } of steps) {
    process.stdout.write(
      `${result.padEnd(8)} ${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s ${note}\n`,
    )
  }
  return steps.every(({ result }) => result === 'ok' || (result === 'not run' && !process.env.CI))
}
