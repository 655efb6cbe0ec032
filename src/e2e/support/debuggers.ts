import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, readlink } from 'node:fs/promises'

import { listDescriptors } from './vitals'

const LISTENING = '0A'

/** The sockets on which a process listens, as the system's names of them. */
async function listListening(pid: number): Promise<string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  )
  const listening = new Set(
    tables
      .flatMap((table) => table.trim().split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTENING)
      .map((fields) => `socket:[${fields[9]}]`),
  )
  return (await listDescriptors(pid)).filter((name) => listening.has(name)).toSorted()
}

/** Whether a process runs Node; a shell that guards others does not. */
export async function isNode(pid: number): Promise<boolean> {
  return (await readlink(`/proc/${pid}/exe`)) === process.execPath
}

/** Prints a line, and lives on. */
const USUAL = 'console.log("ready"); setInterval(() => {}, 60_000)'

/** What a debugger adds to a process: a socket, and a thread for it, which Node names from version 24 on. */
async function readTraces(pid: number): Promise<string> {
  const folder = `/proc/${pid}/task`
  const names = await Promise.all(
    (await readdir(folder)).map((id) => readFile(`${folder}/${id}/comm`, 'utf8').catch(() => '')),
  )
  const threads = names.filter((name) => name === 'InspectorIo\n')
  return [...threads, ...(await listListening(pid))].join()
}

/**
 * Sends SIGUSR1 to processes, and after them to one that does open its debugger on it.
 * @returns those that have opened one as well by then, or have ended
 */
export async function findDebuggers(pids: readonly number[]): Promise<number[]> {
  const before = await Promise.all(pids.map(readTraces))
  for (const pid of pids) process.kill(pid, 'SIGUSR1')
  const usual = spawn(process.execPath, ['--inspect-port=0', '-e', USUAL], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(usual.stdout, 'data')
  usual.kill('SIGUSR1')
  while ((await listListening(usual.pid!)).length === 0) await new Promise(setImmediate)
  const after = await Promise.all(pids.map((pid) => readTraces(pid).catch(() => 'has ended')))
  usual.kill('SIGKILL')
  return pids.filter((_, index) => before[index] !== after[index])
}
