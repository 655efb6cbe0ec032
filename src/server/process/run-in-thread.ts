import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Runs a program in a thread of its own until it posts its result.
 * @param what the program is called in errors
 * @throws what the thread throws, or the reason of `signal`, once the thread has ended
 */
export async function runInThread<Result>(
  what: string,
  program: string | URL,
  options: WorkerOptions,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted()
  const worker = new Worker(program, options)
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      // After a message or an error, this has no effect.
      worker.once('exit', () => reject(signal.reason ?? new Error(`${what} exited unexpectedly`)))
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
