// npm run fleet: the whole product on real servers, on this machine.
import '../scripts/runtime.mjs'

// Imported dynamically, because runtime.mjs must check the Node version first.
const { runFleet } = await import('./fleet/run-fleet')
await runFleet()
