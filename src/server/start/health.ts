import '../process/without-debugger.mjs'
import { loadDotEnv, readConfig } from '../config'
import { toHealthUrl } from './health-url'

// node scripts/run.mjs health [worker | inbox]: the health check of a container, of the web process, a worker or an inbox with the
// same settings. Exits with 0 if it answers that all is well, else with 1 and the reason.
try {
  loadDotEnv()
  const [, , name] = process.argv
  const program = name === 'worker' || name === 'inbox' ? name : 'main'
  const url = toHealthUrl(readConfig(), program)
  const { ok, status } = await fetch(url).catch((error: Error) => {
    throw new Error(`${url} does not answer`, { cause: error })
  })
  if (!ok) throw new Error(`${url} answers ${status}`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
