import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// A process of its own that backs up or restores, and kills itself before its n-th file operation:
// `dying-process.ts N backup` or `dying-process.ts N restore FILE`. It prints how many there were.
const [dieAt, what, file = ''] = process.argv.slice(2)
let operations = 0

for (const name of ['mkdir', 'open', 'writeFile', 'copyFile', 'link', 'rename', 'rm'] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]) => {
    operations += 1
    if (operations === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
    return original(...args)
  }
  Object.assign(fs, { [name]: counted })
}
syncBuiltinESMExports()

// Imported only now, so that they find the counted operations.
const { readConfig } = await import('../config')
const config = readConfig()

if (what === 'restore') {
  const { restoreBackup } = await import('../restore')
  const options = { replace: true, now: Date.now(), report: () => undefined }
  await restoreBackup(config, file, options)
} else {
  const { openDeps } = await import('../deps')
  const { createLogger } = await import('../logger')
  const { runBackup } = await import('./stock')
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  await runBackup(deps)
  await close()
}
process.stdout.write(`${operations}\n`)
