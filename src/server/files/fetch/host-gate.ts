/** Limits the concurrent requests to each host. The fetcher enters it before each hop. */
export interface HostGate {
  /**
   * Waits until the host may get another request.
   * @returns a function to call when the request is done; further calls do nothing
   * @throws the signal's reason
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>
}
