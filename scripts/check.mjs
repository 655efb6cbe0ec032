// Types, lint, format and unused code: what can be said of a change without running it.
import './runtime.mjs'
import { runChecks, summarize } from './steps.mjs'

await runChecks()
process.exitCode = summarize() ? 0 : 1
