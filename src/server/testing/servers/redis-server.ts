import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from './free-port'

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>

/** Starts a real redis-server for one test, on a free port, without persistence. */
export async function startRedisServer(options: string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-redis-'))
  const port = await findFreePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory]
  let child = await launch([...args, ...options])
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Kills it, as a crash would. */
    kill,
    /** Suspends it with its connections open, until `resume` is called. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    /** Kills it and starts an empty one on the same port. */
    async restart() {
      await kill()
      child = await launch([...args, ...options])
    },
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function launch(args: string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready to accept connections')) resolve()
    })
  })
  return child
}
