/** What to stop and remove at the end, in the reverse order of its start. */
export type Cleanups = {
  add(cleanup: () => unknown): void
  /** Runs all; one that fails does not keep the others from running. */
  run(): Promise<void>
}

export function createCleanups(): Cleanups {
  const cleanups: (() => unknown)[] = []
  return {
    add: (cleanup) => void cleanups.push(cleanup),
    async run() {
      for (const cleanup of cleanups.splice(0).toReversed()) {
        try {
          await cleanup()
        } catch (error) {
          console.error(`A step of the cleaning failed: ${(error as Error).message}`)
        }
      }
    },
  }
}
