// npm run check: types, lint, format and unused code.
import './runtime.mjs'
import { runChecks, summarize } from './steps.mjs'

await runChecks()
process.exitCode = summarize() ? 0 : 1
