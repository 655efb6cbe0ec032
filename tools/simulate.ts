// npm run simulate: what larger installations do and need.
import '../scripts/runtime.mjs'

// Imported dynamically, because runtime.mjs must check the Node version first.
const { runSimulate } = await import('./simulate/run-simulate')
await runSimulate()
