/** A fair mutex: the returned function waits for the lock and resolves with a function to unlock it. */
export function createMutex(): () => Promise<() => void> {
  let last = Promise.resolve()
  return async () => {
    const before = last
    let unlock = (): void => undefined
    last = new Promise((resolve) => (unlock = resolve))
    await before
    return unlock
  }
}
