// What `npm run check` and `npm test` are made of: tools that run one after the other or side by side,
// and how each has ended.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// The tools look for their interpreter by its name.
const PATH = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter)

/** @type {{ name: string, result: 'ok' | 'failed' | 'not run', seconds: number, note: string }[]} */
const steps = []

/**
 * @typedef {object} StepOptions
 * @property {Record<string, string>} [env]
 * @property {boolean} [isBesideOthers] what it prints is shown when it has ended
 */

/**
 * Runs a tool of node_modules/.bin.
 * @param {string} name @param {string[]} command @param {StepOptions} [options]
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function step(name, [tool = '', ...args], { env, isBesideOthers = false } = {}) {
  if (!isBesideOthers) process.stdout.write(`\n── ${name}\n`)
  const started = Date.now()
  const child = spawn(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    env: { ...process.env, PATH, ...env },
    stdio: isBesideOthers ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const printed = [child.stdout, child.stderr].map(async (stream) => (stream ? text(stream) : ''))
  const isFine = (await ended) === 0
  const seconds = (Date.now() - started) / 1000
  if (isBesideOthers) {
    process.stdout.write(`\n── ${name}\n${(await Promise.all(printed)).filter(Boolean).join('')}`)
  }
  steps.push({ name, result: isFine ? 'ok' : 'failed', seconds, note: '' })
  return isFine
}

/** @param {string} name @param {string} note why */
export function notRun(name, note) {
  steps.push({ name, result: 'not run', seconds: 0, note })
}

/** What needs no test to run: types, lint, format, unused code; side by side. */
export async function runChecks() {
  const options = { isBesideOthers: true }
  await Promise.all([
    // Several checkers would each work out the same types again.
    step('types', ['tsc', '--checkers', '1'], options),
    step('lint', ['oxlint', '--deny-warnings'], options),
    step('format', ['oxfmt', '--check', '.'], options),
    step('unused code', ['knip'], options),
  ])
}

/** Prints how each step has ended. @returns {boolean} whether all is well */
export function summarize() {
  process.stdout.write(`\n── summary, on Node ${process.version}\n`)
  for (const { name, result, seconds, note } of steps) {
    process.stdout.write(
      `${result.padEnd(8)} ${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s ${note}\n`,
    )
  }
  return steps.every(({ result }) => result === 'ok' || (result === 'not run' && !process.env.CI))
}
