import { setTimeout as pause } from 'node:timers/promises'

import type { z } from 'zod'

import { DomainError } from '../src/server/domain/errors'
import { codeOf } from '../src/server/process/error-code'
import { UsageError } from './command-line'

/** A running installation that is called by its REST API, with an API key. */
export type Installation = ReturnType<typeof openInstallation>

/** Two hundred passwords are hashed in about ten seconds. */
const LIMIT_MS = 5 * 60_000
/** A longer wait is told instead. */
const MAX_WAIT_SECONDS = 120

/**
 * @param address of the installation, such as `https://stockbridge.example.com`
 * @param key of an administrator
 * @throws UsageError for an address or a key that cannot be one
 */
export function openInstallation(address: string, key: string | undefined) {
  const url = toUrl(address)
  if (!key) throw new UsageError('STOCKBRIDGE_KEY must have the API key of an administrator')
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }

  async function send(method: string, path: string, body: object | undefined): Promise<Response> {
    // For the answer to begin: a backup may take long to arrive.
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new Error('no answer')), LIMIT_MS)
    try {
      return await fetch(new URL(path, url), {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        // The key is for nobody else.
        redirect: 'manual',
        signal: limit.signal,
      })
    } catch (error) {
      const reason = codeOf((error as Error).cause) || (error as Error).message
      throw new DomainError('UNAVAILABLE', `${url.origin} cannot be reached (${reason})`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws DomainError when the installation does not answer, or refuses the call */
  async function request(method: string, path: string, body?: object): Promise<Response> {
    for (;;) {
      const response = await send(method, path, body)
      if (response.ok) return response
      const wait = Number(response.headers.get('retry-after'))
      const isShort = wait > 0 && wait <= MAX_WAIT_SECONDS
      if (response.status !== 429 || !isShort) throw await toRefusal(url, response)
      await response.body?.cancel()
      console.error(`${url.host} asks to wait ${wait} s`)
      await pause(wait * 1_000)
    }
  }

  return {
    origin: url.origin,
    request,
    /** The answer to a call. @throws DomainError as `request`, and when it answers something else */
    async ask<Answer>(schema: z.ZodType<Answer>, ...call: Parameters<typeof request>) {
      const response = await request(...call)
      const answer = schema.safeParse(await response.json().catch(() => undefined))
      if (answer.success) return answer.data
      throw new DomainError('INVALID', `${url.origin} does not answer as this version does`)
    },
  }
}

function toUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--url must be an address such as https://stockbridge.example.com')
  }
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isHere) {
    throw new UsageError('--url must begin with https: anybody on the way could read the key')
  }
  return url
}

async function toRefusal(url: URL, response: Response): Promise<DomainError> {
  const location = response.headers.get('location')
  if (location) {
    const place = new URL(location, url).origin
    return new DomainError('INVALID', `${url.origin} redirects to ${place}: use that address`)
  }
  const { message } = ((await response.json().catch(() => undefined)) ?? {}) as {
    message?: unknown
  }
  const reason = typeof message === 'string' ? message : `it answers with status ${response.status}`
  return new DomainError('INVALID', `${url.origin} refuses: ${reason}`)
}
