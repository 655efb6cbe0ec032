#!/usr/bin/env node
// The product as one command: `stockbridge NAME …` is `npm run NAME -- …`, from any folder and without npm. Settings
// and data are those of the installation that this file is in; files are named from where the command is called.
import './runtime.mjs'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { COMMANDS } from './commands.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name, ...args] = process.argv.slice(2)
const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
const asksForHelp = (/** @type {string | undefined} */ arg) => arg === '--help' || arg === '-h'

if (name === '--version' || name === '-v') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (asksForHelp(name)) {
  process.stdout.write(describeCommands())
} else if (!command) {
  refuse(name === undefined ? 'Which command?' : `There is no command ${name}.`, describeCommands())
} else if (command.takesNothing && args.length > 0) {
  const use = `stockbridge ${name}: ${command.purpose}\n`
  if (args.every(asksForHelp)) process.stdout.write(use)
  else refuse(`It takes no arguments: ${args.join(' ')}`, use)
} else {
  process.env.STOCKBRIDGE_CALLED_FROM = process.cwd()
  process.chdir(root)
  process.argv[2] = command.program
  await import('./run.mjs')
}

function describeCommands() {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length))
  const lines = Object.entries(COMMANDS).map(
    ([each, { purpose }]) => `  ${each.padEnd(width)}  ${purpose}`,
  )
  return `Usage: stockbridge COMMAND …\n\n${lines.join('\n')}

Those that take arguments describe them with --help. --version prints the version.
`
}

/** @param {string} problem @param {string} help */
function refuse(problem, help) {
  process.stderr.write(`${problem}\n\n${help}`)
  process.exitCode = 2
}
