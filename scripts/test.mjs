// npm test: types, lint, format, unused code, all unit and integration tests, what is special about
// PostgreSQL, production build, process tests and browser tests. With `unit`, `postgres`, `s3` or `e2e`,
// only that part, and with paths after `postgres` or `s3`, only these. With --full, also `*.full.*`:
// crashes, full disks, loss of servers, and walks over all screens; memory, growth, the integration tests on
// PostgreSQL, the file store on S3, and the benchmark at small sizes.
// With --long, crash tests run as often as docs/reliability.md states, files are in a bucket when the
// integration tests run on PostgreSQL, and `*.long.*` are added, which take minutes or measure response times under load. A
// suite that cannot run is named in the summary; with CI=true that is a failure.
import './runtime.mjs'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'

import { notRun, runChecks, step, summarize } from './steps.mjs'
import {
  ensureChromium,
  ensureBookReaders,
  ensureDeployPrograms,
  ensureFileClients,
  ensureFileServers,
  ensureMailPrograms,
  ensurePeers,
  ensurePostgres,
  ensureRedis,
  ensureS3,
} from './system-programs.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, long: { type: 'boolean' } },
})
/**
 * Whether all of docs/performance.md can be measured; not whether goals are reached, which depends on what
 * the machine is doing besides.
 */
const QUICK_BENCHMARK = ['tsx', 'tools/bench.ts', '--quick', '--runs=1']
/** Characters shown of the error of a failed test; the whole of it is further up. */
const FAILURE_LENGTH = 600
const [part, ...paths] = positionals
const isLong = values.long === true
const isShort = !isLong && !values.full && part === undefined
/** Patterns of the test files that are left out. */
const excluded = ['**/*.long.*', ...(isShort ? ['**/*.full.*'] : [])]

const reports = mkdtempSync(join(tmpdir(), 'stockbridge-tests-'))
const figuresFile = join(reports, 'figures')
/** @type {Record<string, string>} */
const env = {
  FIGURES_FILE: figuresFile,
  ...(isLong && { LONG: 'true' }),
  ...(isShort && { SHORT: 'true' }),
}
const tests = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []

/**
 * @param {string} name @param {string[]} projects @param {string[]} [options] of vitest, or paths
 * @param {Record<string, string>} [extra] further variables
 */
async function testStep(name, projects, options = [], extra = {}) {
  const report = join(reports, `${name}.json`)
  const selected = projects.flatMap((project) => ['--project', project])
  const strayErrors = join(reports, `${name}.errors.json`)
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./scripts/stray-errors-reporter.mjs',
  ]
  const command = ['vitest', 'run', ...selected, ...reporters, ...options]
  await step(name, command, {
    env: {
      ...env,
      STRAY_ERRORS_FILE: strayErrors,
      TEST_EXCLUDE: excluded.join(' '),
      ...extra,
    },
  })
  addResults(report, strayErrors)
}

/** @param {string} report @param {string} strayErrors the file of the errors that no test caught */
function addResults(report, strayErrors) {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'))
    /** @type {string[]} */
    const errors = JSON.parse(readFileSync(strayErrors, 'utf8'))
    tests.failed += errors.length
    failures.push(...errors.map((error) => error.slice(0, FAILURE_LENGTH)))
    tests.passed += counts.numPassedTests
    tests.failed += counts.numFailedTests
    tests.skipped += counts.numPendingTests + counts.numTodoTests
    failures.push(...counts.testResults.flatMap(listFailures))
  } catch {
    // A runner that crashed leaves no report; its step has already failed.
    tests.failed += 1
  }
}

/**
 * @param {{ name: string, status: string, message: string, assertionResults:
 *   { status: string, fullName: string, failureMessages: string[] }[] }} file
 * @returns {string[]} the failed tests of a file, or the file itself, each with its error
 */
function listFailures({ name, status, message, assertionResults }) {
  const path = relative('.', name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`${path}\n  ${message}`] : []
  return failed.map(({ fullName, failureMessages }) => {
    const [error = ''] = failureMessages
    return `${path} > ${fullName}\n  ${error.slice(0, FAILURE_LENGTH)}`
  })
}

/** Leaves out the tests on servers that are not installed. */
function requireServers() {
  if (!ensurePostgres().path) excluded.push('**/*.postgres.*')
  const redis = ensureRedis()
  if (redis.path) return
  notRun('tests on Redis', redis.problem)
  excluded.push('**/*.redis.*')
}

/** Has the tests find the servers of files that are installed. */
function requireFileServers() {
  const folders = [dirname(process.execPath), process.env.PATH]
  for (const { path, problem } of [...ensureFileServers(), ...ensureFileClients()]) {
    if (path === undefined) notRun('tests on a server of files', problem)
    else folders.push(dirname(path))
  }
  for (const { path, problem } of ensureBookReaders()) {
    if (path === undefined) notRun('tests on readers of workbooks', problem)
  }
  for (const { path, problem } of ensureDeployPrograms()) {
    if (path === undefined) notRun('tests on files of deploy', problem)
  }
  for (const { path, problem } of ensureMailPrograms()) {
    if (path === undefined) notRun('tests on a server of mails', problem)
    else folders.push(dirname(path))
  }
  env.PATH = folders.join(delimiter)
}

const testUnits = () => testStep('unit tests', ['server', 'client'])
const testUnitsAndIntegration = () =>
  testStep('unit and integration tests', ['server', 'integration', 'client'])

async function testOnPostgres() {
  const postgres = ensurePostgres()
  // In a long run, files are in a bucket, as in a large installation.
  const hasBucket = isLong && ensureS3().path !== undefined
  const name = hasBucket ? 'tests on PostgreSQL and S3' : 'tests on PostgreSQL'
  const selected = isShort ? ['.postgres.test'] : paths
  if (postgres.path) {
    await testStep(name, ['postgres'], selected, hasBucket ? { TEST_FILES: 's3' } : {})
  } else notRun(name, postgres.problem)
}

async function testOnS3() {
  const s3 = ensureS3()
  if (s3.path) await testStep('tests on S3', ['s3'], paths)
  else notRun('tests on S3', s3.problem)
}

async function testInBrowser() {
  const chromium = ensureChromium()
  if (chromium.path) await testStep('browser tests', ['browser'])
  else notRun('browser tests', chromium.problem)
}

/** Runs one suite after the other, because two at once need more than two cores. */
async function testBuild() {
  await testStep('process tests', ['processes'])
  if (!isShort) await testStep('memory tests', ['memory'])
  if (isLong) {
    // On their own, because they measure response times.
    const options = ['.long.', '--no-file-parallelism']
    await testStep('load tests', ['processes'], options, { TEST_EXCLUDE: '' })
  }
  await testInBrowser()
}

async function testAll() {
  await runChecks()
  requireServers()
  if (!isShort) requireFileServers()
  await testUnitsAndIntegration()
  if (isLong) {
    const projects = ['server', 'integration']
    await testStep('long tests of sources', projects, ['.long.'], { TEST_EXCLUDE: '' })
  }
  await testOnPostgres()
  if (!isShort) {
    await testOnS3()
    await testStep('growth tests', ['growth'])
  }
  const isBuilt = await step('production build', ['vite', 'build', '--app', '--logLevel', 'warn'])
  if (!isBuilt) {
    notRun('tests of the build', 'there is none')
    return
  }
  await testBuild()
  if (!isShort) await testBenchmark()
}

async function testBenchmark() {
  for (const { problem } of ensurePeers()) if (problem) notRun('rows of the benchmark', problem)
  await step('quick benchmark', QUICK_BENCHMARK)
}

/** Prints the figures that the suites measured, by topic as in docs/reliability.md. */
function printFigures() {
  const lines = readFileSync(figuresFile, 'utf8').split('\n').filter(Boolean)
  const figures = lines.map((line) => JSON.parse(line))
  figures.sort((one, other) => one.topic.localeCompare(other.topic, 'en', { numeric: true }))
  const width = Math.max(0, ...figures.map(({ what }) => what.length))
  if (figures.length > 0) process.stdout.write('\n── figures\n')
  for (const { topic, what, measured, goal } of figures) {
    process.stdout.write(`${topic.padEnd(12)} ${what.padEnd(width)} ${measured} (goal: ${goal})\n`)
  }
}

writeFileSync(figuresFile, '')
if (part === 'unit') await testUnits()
else if (part === 'postgres') await testOnPostgres()
else if (part === 's3') await testOnS3()
else if (part === 'e2e') await testInBrowser()
else await testAll()

printFigures()
const isFine = summarize()
const { passed, failed, skipped } = tests
for (const failure of failures) process.stdout.write(`\nfailed   ${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
process.exitCode = isFine && failed === 0 ? 0 : 1
