import { readConfig } from '../src/server/config'
import { openDeps } from '../src/server/deps'
import { examine } from '../src/server/doctor/examine'
import type { Finding } from '../src/server/doctor/finding'
import { createLogger } from '../src/server/observability/logger'
import { runCommand } from './command-line'

const HELP = `Examines the configuration and everything that it names: database, files, Redis, mail server,
public address and identity provider, who can reach the metrics, and the clocks of servers. Says what to do about each problem.

Usage: npm run doctor [-- --json]

--json   prints one object instead: version, node, and findings with part, state (ok, warning or problem), text and advice

Changes nothing in the database, and can run beside the product.

Exit codes: 0 all is well, or there are warnings only; 1 there is a problem.`

const OPTIONS = { json: { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, async ({ values }) => {
  const config = readConfig()
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    const findings = await examine(deps)
    if (values.json) {
      const { productVersion: version } = config
      console.log(JSON.stringify({ version, node: process.version, findings }, null, 2))
    } else print(findings)
    return findings.some(({ state }) => state === 'problem') ? 1 : 0
  } finally {
    await close()
  }
})

function print(findings: readonly Finding[]): void {
  console.log(`ok       Node      ${process.version}`)
  console.log('ok       settings  all variables are valid')
  for (const { part, state, text, advice } of findings) {
    console.log(`${state.padEnd(8)} ${part.padEnd(9)} ${text}`)
    if (advice) console.log(`${' '.repeat(19)}${advice}`)
  }
}
