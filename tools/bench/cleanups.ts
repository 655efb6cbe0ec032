/** What to stop and remove at the end, in the reverse order of its start. */
export type Cleanups = {
  /** After the end, it is stopped at once. */
  add(cleanup: () => unknown): void
  hasEnded(): boolean
  /** Runs all; one that fails does not keep the others from running. */
  run(): Promise<void>
}

export function createCleanups(): Cleanups {
  const cleanups: (() => unknown)[] = []
  let hasEnded = false
  const runAll = async () => {
    for (;;) {
      const cleanup = cleanups.pop()
      if (!cleanup) return
      try {
        await cleanup()
      } catch (error) {
        console.error(`A step of the cleaning failed: ${(error as Error).message}`)
      }
    }
  }
  return {
    add(cleanup) {
      cleanups.push(cleanup)
      if (hasEnded) void runAll()
    },
    hasEnded: () => hasEnded,
    run() {
      hasEnded = true
      return runAll()
    },
  }
}

/** Ends what was started before the process ends. npm may pass on a signal that has come already. */
export function stopOnSignal(cleanups: Cleanups): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (!cleanups.hasEnded()) void cleanups.run().then(() => process.exit(code))
    })
  }
}
