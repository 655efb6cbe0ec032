// npm run bench: measures the product beside its peers.
import '../scripts/runtime.mjs'

// Imported dynamically, because runtime.mjs must check the Node version first.
const { runBench } = await import('./bench/run-bench')
await runBench()
