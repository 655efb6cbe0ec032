import type { FastifyReply } from 'fastify'

/** Whether the answer is a stream of events, which has no end of its own. */
export function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}
