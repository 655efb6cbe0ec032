/** Limits how many requests one host gets at once. The fetcher asks it before each hop. */
export interface HostGate {
  /**
   * Waits for the host's turn. Call what comes back when done; calling it twice does no harm.
   * @throws the signal's reason
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>
}
