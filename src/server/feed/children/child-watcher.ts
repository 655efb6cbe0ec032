import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

// The second thread of a process that reads feeds, which works on whatever the first one does: it
// tells the parent what the process uses, on the file descriptor 3, and ends the process when the
// parent has died.

const USAGE_EVERY_MS = 100
const PARENT_EVERY_MS = 1_000
const USAGE_DESCRIPTOR = 3

const { parentPid } = workerData as { parentPid: number }

function tellUsage(): void {
  const { user, system } = process.cpuUsage()
  const usage = { cpuMs: (user + system) / 1_000, memoryBytes: process.memoryUsage.rss() }
  try {
    writeSync(USAGE_DESCRIPTOR, `${JSON.stringify(usage)}\n`)
  } catch {
    // A parent that does not listen just now hears the next one.
  }
}

let timer: NodeJS.Timeout | undefined
parentPort?.on('message', ({ isBusy }: { isBusy: boolean }) => {
  tellUsage()
  clearInterval(timer)
  timer = isBusy ? setInterval(tellUsage, USAGE_EVERY_MS) : undefined
})
setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
}, PARENT_EVERY_MS)
tellUsage()
