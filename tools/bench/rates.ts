import type { Bench } from './bench'
import { formatNumber } from './goal'
import { compareRates, type Comparison } from './interleave'
import type { LoadResult } from './programs/load'
import type { Measured } from './row'

const CONNECTIONS = 16

export type Request = { url: string; headers?: Record<string, string>; expectedStatus?: number }

/** Returns a function that sends a request again and again. */
export async function repeatRequest(
  bench: Bench,
  request: Request,
  connections = CONNECTIONS,
): Promise<() => Promise<LoadResult>> {
  const load = await bench.load()
  const send = () => load({ ...request, connections, seconds: bench.rateSeconds })
  // What is compiled and remembered at first is not measured.
  await send()
  return send
}

/** Compares how many requests are answered in a second. */
export async function compareRequests(
  bench: Bench,
  own: Request,
  peer: Request,
): Promise<Comparison> {
  const sendOwn = await repeatRequest(bench, own)
  const sendPeer = await repeatRequest(bench, peer)
  return compareRates({
    runs: bench.runs,
    ours: async () => (await sendOwn()).perSecond,
    peer: async () => (await sendPeer()).perSecond,
  })
}

export const toRate = ({ ours, peer, ratio }: Comparison): Measured => ({
  value: ratio,
  ours: `${formatNumber(ours)}/s`,
  peer: `${formatNumber(peer)}/s`,
})

export const toMilliseconds = (value: number): Measured => ({
  value,
  ours: `${formatNumber(value)} ms`,
})
