import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const STRACE = '/usr/bin/strace'
const PAGE_BYTES = '4096'
export const hasStrace = existsSync(STRACE)

/**
 * Traces system calls of a running process with strace until `stop`, which returns them with their
 * files in the order of completion: `fsync(21</data/files/ab>)`. Of what is written, a page of the database is shown.
 * @returns undefined where tracing another process is not permitted
 */
export async function traceSystemCalls(pid: number, names: string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-trace-'))
  const file = join(directory, 'trace')
  const args = [
    '-f',
    '-y',
    '-s',
    PAGE_BYTES,
    '-e',
    `trace=${names.join()}`,
    '-o',
    file,
    '-p',
    `${pid}`,
  ]
  const strace = spawn(STRACE, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(strace, 'exit')
  const [said] = (await once(strace.stderr, 'data')) as [Buffer]
  if (!said.toString().includes('attached')) return undefined
  return {
    async stop(): Promise<string[]> {
      strace.kill('SIGINT')
      await exited
      const calls = readCalls(await readFile(file, 'utf8'))
      await rm(directory, { recursive: true })
      return calls
    },
  }
}

/** Joins the two lines of a call that strace splits when another thread's call comes between. */
function readCalls(trace: string): string[] {
  const unfinished = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const beginning = /^(.*) <unfinished \.\.\.>$/.exec(text)?.[1]
    if (beginning !== undefined) {
      unfinished.set(thread, beginning)
      return []
    }
    const end = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
    return end === undefined ? text : `${unfinished.get(thread)}${end}`
  })
}
