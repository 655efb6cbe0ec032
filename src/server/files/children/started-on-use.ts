import type { z } from 'zod'

import {
  type ChildCommand,
  type ChildLink,
  type ChildWatch,
  startChild,
  watchChild,
} from './child-link'
import type { MessageLimits } from './lines'

interface Work {
  close(): Promise<void>
}

/**
 * A child that is started when it is needed, and anew after it has ended.
 * @param create what is done with it
 * @returns `use` waits until it is ready
 */
export function startOnUse<To extends object, From extends { type: string }, Done extends Work>(
  { command, watch }: { command: ChildCommand; watch: ChildWatch },
  { schema, limits }: { schema: z.ZodType<From>; limits: MessageLimits },
  create: (link: ChildLink<To, From>) => Done,
): { use(): Promise<Done>; close(): Promise<void> } {
  let started: Promise<Done> | undefined
  async function start(): Promise<Done> {
    const link = await startChild<To, From>(command, schema, limits)
    void forgetOnExit(link)
    return create(link)
  }
  async function forgetOnExit(link: ChildLink<To, From>) {
    await watchChild(link, watch)
    started = undefined
  }
  return {
    use: () =>
      (started ??= start().catch((error: unknown) => {
        started = undefined
        throw error
      })),
    async close() {
      const work = await started?.catch(() => undefined)
      await work?.close()
    },
  }
}
