import { setTimeout } from 'node:timers/promises'

/** Reads a feed address as a shop does: again while its file is being built, of which 503 tells. */
export async function readAsShop(address: string, headers: Record<string, string> = {}) {
  for (;;) {
    const response = await fetch(address, { headers })
    if (response.status !== 503) return response
    await response.body?.cancel()
    await setTimeout(Number(response.headers.get('retry-after')) * 1_000)
  }
}
