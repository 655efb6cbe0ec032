import type { FastifyInstance } from 'fastify'

import type { LiveItem } from '../../../shared/schemas/live'
import type { Client } from './test-app'

type ServerEvent = { event: string; data: string }
/** A refusal, which arrives as an event of the stream. */
export type StreamError = { message: string; data: { httpStatus: number } }

export type LiveStream = Awaited<ReturnType<typeof openLiveStream>>

/** Makes the app listen on a free port, unless it does already; returns its address. */
async function listenOnLoopback(app: FastifyInstance): Promise<string> {
  return app.server.listening ? app.listeningOrigin : app.listen({ host: '127.0.0.1', port: 0 })
}

/**
 * Opens a client of `live.changes` over a socket, like a browser.
 * @param origin of a proxy in front of the app
 */
export async function openLiveStream(app: FastifyInstance, client: Client, origin?: string) {
  const closing = new AbortController()
  const response = await fetch(`${origin ?? (await listenOnLoopback(app))}/trpc/live.changes`, {
    headers: client.cookie ? { cookie: client.cookie } : {},
    signal: closing.signal,
  })
  const events = readEvents(response)
  /** The next event; null once the stream has ended. @throws StreamError when it was refused */
  const next = async () => {
    for (;;) {
      const { value } = await events.next()
      if (!value) return null
      if (value.event === 'serialized-error') throw JSON.parse(value.data) as StreamError
      if (value.event === 'message') return JSON.parse(value.data) as LiveItem[]
    }
  }
  return {
    headers: response.headers,
    next,
    /** Reads until an event contains such an item. */
    async until(isWanted: (item: LiveItem) => boolean) {
      for (let items = await next(); items !== null; items = await next()) {
        const wanted = items.find(isWanted)
        if (wanted) return wanted
      }
      throw new Error('The stream has ended')
    },
    close: () => closing.abort(),
  }
}

async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (!body) return
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split(/\n\n+/)
    text = blocks.pop() ?? ''
    for (const block of blocks.filter(Boolean)) yield readEvent(block)
  }
}

function readEvent(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) as [string, string]),
  )
  return { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' }
}
