// Everything that has to hold before a change lands, in one command: types, lint, format, unused
// code, unit and integration tests, the production build, browser tests. A suite that cannot run
// is named in the summary; with CI=true that is a failure.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ensureChromium, ensureRedis } from './system-programs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = mkdtempSync(join(tmpdir(), 'stockbridge-tests-'))

/** @type {{ name: string, result: 'ok' | 'failed' | 'not run', seconds: number, note: string }[]} */
const steps = []
const tests = { passed: 0, failed: 0, skipped: 0 }

/** @param {string} name @param {string[]} command @returns {boolean} */
function step(name, [tool = '', ...args]) {
  process.stdout.write(`\n── ${name}\n`)
  const started = Date.now()
  const path = join(root, 'node_modules/.bin', tool)
  const { status } = spawnSync(path, args, { cwd: root, stdio: 'inherit' })
  const seconds = (Date.now() - started) / 1000
  steps.push({ name, result: status === 0 ? 'ok' : 'failed', seconds, note: '' })
  return status === 0
}

/** @param {string} name @param {string[]} projects @param {string[]} options */
function testStep(name, projects, options = []) {
  const report = join(reports, `${projects.join('-')}.json`)
  const selected = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  step(name, ['vitest', 'run', ...selected, ...reporters, ...options])
  addCounts(report)
}

/** @param {string} report */
function addCounts(report) {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'))
    tests.passed += counts.numPassedTests
    tests.failed += counts.numFailedTests
    tests.skipped += counts.numPendingTests + counts.numTodoTests
  } catch {
    // A runner that died has left no report; its step has failed already.
    tests.failed += 1
  }
}

/** @param {string} name @param {string} note */
function notRun(name, note) {
  steps.push({ name, result: 'not run', seconds: 0, note })
}

step('types', ['tsc'])
step('lint', ['oxlint', '--deny-warnings'])
step('format', ['oxfmt', '--check', '.'])
step('unused code', ['knip'])
const redis = ensureRedis()
const withoutRedis = redis.path
  ? []
  : ['--exclude', '**/*bullmq*', '--exclude', '**/workers.e2e.ts']
if (!redis.path) notRun('tests on Redis', redis.problem)
testStep('unit and integration tests', ['server', 'client'], withoutRedis)
const isBuilt = step('production build', ['vite', 'build', '--app', '--logLevel', 'warn'])

const chromium = ensureChromium()
if (!isBuilt) notRun('browser tests', 'there is no build to test')
else if (!chromium.path) notRun('browser tests', chromium.problem)
else testStep('browser tests', ['browser'], withoutRedis)

process.stdout.write('\n── summary\n')
for (const { name, result, seconds, note } of steps) {
  process.stdout.write(
    `${result.padEnd(8)} ${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s ${note}\n`,
  )
}
const isFine = steps.every(
  ({ result }) => result === 'ok' || (result === 'not run' && !process.env.CI),
)
const { passed, failed, skipped } = tests
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
process.exitCode = isFine && failed === 0 ? 0 : 1
