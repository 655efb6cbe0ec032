import type { FastifyReply } from 'fastify'

/** Whether the response is an event stream (SSE), which stays open until the client leaves. */
export function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}
