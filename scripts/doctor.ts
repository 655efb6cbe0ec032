import { readConfig } from '../src/server/config'
import { openDeps } from '../src/server/deps'
import { examine } from '../src/server/doctor/examine'
import { createLogger } from '../src/server/observability/logger'
import { runCommand } from './command-line'

const HELP = `Examines the configuration and everything that it names: database, files, Redis, mail server,
public address and identity provider, who can reach the metrics, and the clocks of servers. Says what to do about each problem.

Usage: npm run doctor

Changes nothing in the database, and can run beside the product.

Exit codes: 0 all is well, or there are warnings only; 1 there is a problem.`

await runCommand(HELP, {}, async () => {
  const config = readConfig()
  console.log(`ok       Node      ${process.version}`)
  console.log('ok       settings  all variables are valid')
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    const findings = await examine(deps)
    for (const { part, state, text, advice } of findings) {
      console.log(`${state.padEnd(8)} ${part.padEnd(9)} ${text}`)
      if (advice) console.log(`${' '.repeat(19)}${advice}`)
    }
    return findings.some(({ state }) => state === 'problem') ? 1 : 0
  } finally {
    await close()
  }
})
