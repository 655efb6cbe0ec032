import type { FastifyInstance, InjectOptions } from 'fastify'

import { buildApp, type AppOptions } from '../../app'
import { PASSWORD } from '../fixtures/factories'
import { openTestDeps } from './test-deps'

const SESSION_SECRET = 'a secret of thirty-two characters'

/** A response, with its body parsed if it is JSON. */
export type TestResponse = {
  status: number
  body: unknown
  text: string
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
 * @param options.clientDir the folder of the built client; without it none is served
 */
export async function openTestApp(
  overrides?: Parameters<typeof openTestDeps>[0],
  parts?: Parameters<typeof openTestDeps>[1],
  options: Pick<AppOptions, 'clientDir'> = {},
) {
  const deps = await openTestDeps(overrides, parts)
  const app = await buildApp(deps, { sessionSecret: SESSION_SECRET, ...options })
  const client = (cookie?: string, address?: string) => createClient(app, cookie, address)
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
      await app.close()
      await deps.close()
    },
  }
}

function createClient(app: FastifyInstance, cookie?: string, remoteAddress = '127.0.0.1'): Client {
  const client: Client = {
    cookie,
    async request(method, url, body, headers = {}) {
      const response = await app.inject({
        method: method as InjectOptions['method'] & string,
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
