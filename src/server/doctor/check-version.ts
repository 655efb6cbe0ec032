import { z } from 'zod'

import type { Deps } from '../domain/deps'
import { parseFetchAllow } from '../files/fetch/address-rules'
import { parseEgressProxy } from '../files/fetch/egress-proxy'
import { getText } from '../files/fetch/get-text'
import { ANSWER_WITHIN_MS, explain, type Finding } from './finding'

const MAX_ANSWER_BYTES = 64 * 1024

/** All that is sent, besides the name of the host: nothing of this installation. */
const HEADERS = { 'user-agent': 'Stockbridge', accept: 'application/json' }

/** A version, or what GitHub says of a release. */
const answerSchema = z
  .object({ version: z.string().max(40).optional(), tag_name: z.string().max(40).optional() })
  .transform(({ version, tag_name: tag }) => version ?? tag ?? '')

/** Whether there is a newer release; asked only if the operator has named an address for it. */
export async function checkVersion({ config }: Pick<Deps, 'config'>): Promise<Finding[]> {
  const part = 'version'
  const { updateCheckUrl: url, productVersion: ours, fetchAllow, fetchProxy } = config
  if (url === undefined) return []
  try {
    const text = await getText({
      url,
      allow: parseFetchAllow(fetchAllow),
      proxy: parseEgressProxy(fetchProxy ?? ''),
      headers: HEADERS,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: ANSWER_WITHIN_MS,
    })
    const newest = readVersion(text)
    if (!isNewer(newest, ours)) return [{ part, state: 'ok', text: `${ours}, the newest` }]
    const advice = 'See docs/upgrading.md of that version, and try it with npm run upgrade:check.'
    return [{ part, state: 'warning', text: `${ours}, and ${newest} is released`, advice }]
  } catch (error) {
    const told = `${ours}; whether there is a newer one could not be asked: ${explain(error)}`
    return [{ part, state: 'warning', text: told, advice: 'Correct or remove UPDATE_CHECK_URL.' }]
  }
}

/** @throws Error when it says none */
function readVersion(text: string): string {
  const parsed = answerSchema.safeParse(parseJson(text))
  const version = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})$/.exec(parsed.data ?? '')?.[1]
  if (version === undefined) throw new Error('the answer names no version')
  return version
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isNewer(one: string, other: string): boolean {
  const [theirs, ours] = [one, other].map((version) => version.split('.').map(Number)) as [
    number[],
    number[],
  ]
  const place = theirs.findIndex((number, index) => number !== ours[index])
  return place >= 0 && theirs[place]! > (ours[place] ?? 0)
}
