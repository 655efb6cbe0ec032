/** An HTTP client for the REST API with a cookie jar. */
export type RestClient = {
  send(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: never; text: string }>
  signIn(username: string, password: string): Promise<void>
  cookie(): string
}

export function createRestClient(url: string, cookie = ''): RestClient {
  const client: RestClient = {
    cookie: () => cookie,
    async send(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          cookie,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return {
        status: response.status,
        text,
        body: (isJson && text !== '' ? JSON.parse(text) : undefined) as never,
      }
    },
    async signIn(username, password) {
      const { status, text } = await client.send('POST', '/api/login', { username, password })
      if (status !== 200) throw new Error(`${username} could not sign in: ${text}`)
    },
  }
  return client
}

/** A list costs 5 of the 1,200 that a user may spend in a minute, so a long wait must poll slowly. */
const POLL_MS = { first: 100, factor: 1.25, most: 500 }

/** Polls `ask`, less and less often, until `isDone`. @throws Error after `timeoutMs` */
export async function until<T>(
  ask: () => Promise<T>,
  isDone: (answer: T) => boolean,
  timeoutMs = 240_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * POLL_MS.factor, POLL_MS.most)) {
    const answer = await ask()
    if (isDone(answer)) return answer
    if (Date.now() > deadline) {
      throw new Error(`Still ${JSON.stringify(answer)} after ${timeoutMs / 1_000} s`)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
