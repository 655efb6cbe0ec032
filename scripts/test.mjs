// Everything that has to hold before a change lands, in one command: types, lint, format, unused
// code, unit and integration tests, the production build, tests of its processes and in a browser.
// A suite that cannot run is named in the summary; with CI=true that is a failure. With --long, what
// is promised of crashes is tried as often as was promised, which takes about an hour.
import './runtime.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ensureChromium, ensureRedis } from './system-programs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = mkdtempSync(join(tmpdir(), 'stockbridge-tests-'))
const figuresFile = join(reports, 'figures')
const isLong = process.argv.includes('--long')
// The tools look for their interpreter by its name.
const PATH = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter)
const env = { ...process.env, PATH, FIGURES_FILE: figuresFile, ...(isLong && { LONG: 'true' }) }

/** @type {{ name: string, result: 'ok' | 'failed' | 'not run', seconds: number, note: string }[]} */
const steps = []
const tests = { passed: 0, failed: 0, skipped: 0 }

/** @param {string} name @param {string[]} command @returns {boolean} */
function step(name, [tool = '', ...args]) {
  process.stdout.write(`\n── ${name}\n`)
  const started = Date.now()
  const path = join(root, 'node_modules/.bin', tool)
  const { status } = spawnSync(path, args, { cwd: root, env, stdio: 'inherit' })
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

/** In a long run, what measures how long people wait has the machine for itself. */
function testProcesses() {
  if (!isLong) return testStep('process tests', ['processes'], withoutRedis)
  testStep('process tests', ['processes'], [...withoutRedis, '--exclude', '**/*-load.e2e.ts'])
  return testStep('load tests', ['processes'], ['load.e2e.ts', '--no-file-parallelism'])
}

/** What the suites have measured of the product's promises. */
function printFigures() {
  const lines = readFileSync(figuresFile, 'utf8').split('\n').filter(Boolean)
  const figures = lines.map((line) => JSON.parse(line))
  figures.sort((one, other) => one.promise.localeCompare(other.promise, 'en', { numeric: true }))
  const width = Math.max(0, ...figures.map(({ what }) => what.length))
  if (figures.length > 0) process.stdout.write('\n── figures\n')
  for (const { promise, what, measured, goal } of figures) {
    process.stdout.write(
      `${promise.padEnd(12)} ${what.padEnd(width)} ${measured} (goal: ${goal})\n`,
    )
  }
}

writeFileSync(figuresFile, '')
step('types', ['tsc'])
step('lint', ['oxlint', '--deny-warnings'])
step('format', ['oxfmt', '--check', '.'])
step('unused code', ['knip'])
const redis = ensureRedis()
const withoutRedis = redis.path ? [] : ['--exclude', '**/*.redis.*']
if (!redis.path) notRun('tests on Redis', redis.problem)
// The runner would leave one core to itself, and hardly needs it.
testStep('unit and integration tests', ['server', 'client'], ['--maxWorkers=100%', ...withoutRedis])
const isBuilt = step('production build', ['vite', 'build', '--app', '--logLevel', 'warn'])

if (isBuilt) testProcesses()
else notRun('process tests', 'there is no build to test')

const chromium = ensureChromium()
if (!isBuilt) notRun('browser tests', 'there is no build to test')
else if (!chromium.path) notRun('browser tests', chromium.problem)
else testStep('browser tests', ['browser'])

printFigures()
process.stdout.write(`\n── summary, on Node ${process.version}\n`)
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
