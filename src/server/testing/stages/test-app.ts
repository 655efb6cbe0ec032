import diagnostics from 'node:diagnostics_channel'

import type { FastifyInstance, InjectOptions } from 'fastify'
import inject, { type Response } from 'light-my-request'
import { pino } from 'pino'
import { expect } from 'vitest'

import { buildApp, type AppOptions } from '../../app'
import type { Deps } from '../../domain/deps'
import { PASSWORD } from '../fixtures/factories'
import { openTestDeps, type TestDeps } from './test-deps'

/** Of the sessions of all apps of tests. */
export const SESSION_SECRET = 'a secret of thirty-two characters'

/** A response, with its body parsed if it is JSON. */
export type TestResponse = {
  status: number
  body: unknown
  text: string
  bytes: Buffer
  headers: Record<string, unknown>
}

/** An HTTP client that keeps the session cookie. */
export type Client = {
  cookie: string | undefined
  request(
    method: string,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>
  /** Calls a procedure over tRPC: queries with GET, mutations with POST. */
  call(kind: 'query' | 'mutation', procedure: string, input?: unknown): Promise<TestResponse>
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/**
 * Opens the whole server with real parts but without a socket.
 * What is answered in front of the framework is compared with what the framework answers.
 * @param options.clientDir the folder of the built client; without it none is served
 */
export async function openTestApp(
  overrides?: Parameters<typeof openTestDeps>[0],
  parts?: Parameters<typeof openTestDeps>[1],
  options: Pick<AppOptions, 'clientDir'> = {},
) {
  const deps = await openTestDeps(overrides, parts)
  const app = await buildApp(deps, { sessionSecret: SESSION_SECRET, ...options })
  const twin = openTwin(deps)
  const send: Send = async (request) => {
    await app.ready()
    const before = handled
    const answer = await inject((...ends) => void app.server.emit('request', ...ends), request)
    if (handled === before) await twin.compare(request, answer)
    return answer
  }
  const client = (cookie?: string, address?: string) => createClient(send, cookie, address)
  return {
    app,
    deps,
    client,
    /** A client signed in with the factories' password. */
    async signIn({ username }: { username: string }) {
      const signedIn = client()
      await signedIn.request('POST', '/api/login', { username, password: PASSWORD })
      if (!signedIn.cookie) throw new Error(`${username} could not sign in`)
      return signedIn
    },
    async close() {
      await twin.close()
      await app.close()
      await deps.close()
    },
  }
}

type Request = InjectOptions & { method: string; url: string }
type Send = (request: Request) => Promise<Response>

/** How many requests the framework has handled, in all applications of this process. */
let handled = 0
diagnostics.subscribe('tracing:fastify.request.handler:start', () => (handled += 1))

/** The same application without anything in front of the framework: it must answer the same, byte by byte. */
function openTwin(deps: TestDeps) {
  let twin: Promise<FastifyInstance> | undefined
  const uncounted: Deps = {
    ...deps,
    config: { ...deps.config, hasCallLimits: false },
    logger: pino({ level: 'silent' }),
    pulls: { add: () => undefined, refuse: () => undefined, flush: async () => undefined },
    metrics: { ...deps.metrics, requestFinished: () => undefined, fileSent: () => undefined },
  }
  const describe = ({ statusCode, headers, rawPayload }: Response) => {
    const sent = Object.entries(headers).filter(([name]) => !/^(?:date|x-request-id)$/.test(name))
    return { statusCode, sent, text: rawPayload.toString('latin1') }
  }
  return {
    async compare(request: Request, answer: Response): Promise<void> {
      // What is refused does not reach a handler either.
      if (answer.statusCode !== 200 && answer.statusCode !== 304) return
      twin ??= buildApp(uncounted, { sessionSecret: SESSION_SECRET })
      const other = await (await twin).inject(request)
      expect(describe(answer)).toEqual(describe(other))
    },
    close: async () => (await twin)?.close(),
  }
}

function createClient(send: Send, cookie?: string, remoteAddress = '127.0.0.1'): Client {
  const client: Client = {
    cookie,
    async request(method, url, body, headers = {}) {
      const response = await send({
        method: method as Request['method'],
        url,
        remoteAddress,
        headers: { ...headers, ...(client.cookie && { cookie: client.cookie }) },
        ...(body !== undefined && { payload: body as InjectOptions['payload'] & object }),
      })
      client.cookie = keepCookie(client.cookie, response.headers['set-cookie'])
      const type = String(response.headers['content-type'])
      const isJson = type.includes('application/json') && response.body !== ''
      return {
        status: response.statusCode,
        body: isJson ? response.json() : undefined,
        text: response.body,
        bytes: response.rawPayload,
        headers: response.headers,
      }
    },
    call(kind, procedure, input) {
      if (kind === 'mutation') return client.request('POST', `/trpc/${procedure}`, input ?? {})
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
      return client.request('GET', `/trpc/${procedure}${query}`)
    },
  }
  return client
}

/** The cookie that a browser would have afterwards: undefined once it has been cleared. */
function keepCookie(known: string | undefined, header: string | string[] | undefined) {
  const [cookie] = [header].flat()
  if (!cookie) return known
  const [pair = ''] = cookie.split(';')
  return pair.endsWith('=') ? undefined : pair
}
