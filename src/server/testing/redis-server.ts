import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real redis-server of the test's own, on a free port of this machine, with nothing kept. */
export type RedisServer = {
  url: string
  /** Kills it, as a crash would. */
  kill(): Promise<void>
  /** Lets it hang, with its connections open, until it goes on. */
  pause(): void
  goOn(): void
  /** Starts it anew, empty, on the same port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startRedisServer(options: string[] = []): Promise<RedisServer> {
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
    kill,
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
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
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
  return child
}

/**
 * A port below those that the system gives out by itself: nothing else gets it while Redis is away
 * and comes back to it.
 */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
