import type { Examination } from '../../shared/schemas/system'
import type { Deps } from '../domain/deps'
import { toInstant } from '../domain/instant'

/** How long what was found is told again, without another look. */
const FRESH_MS = 15_000

/**
 * Examines the installation while it runs: at most once at a time, whoever asks, and not again within 15 seconds.
 * What it needs for that is loaded when somebody first asks.
 */
export function createDoctor(): Deps['doctor'] {
  let last: { at: number; examination: Examination } | undefined
  let running: Promise<Examination> | undefined

  async function look(deps: Deps): Promise<Examination> {
    const { examine } = await import('./examine')
    const findings = await examine(deps)
    const at = deps.clock.now()
    last = { at, examination: { findings, examinedAt: toInstant(at) } }
    return last.examination
  }

  return {
    async examine(deps) {
      const isFresh = last && Math.abs(deps.clock.now() - last.at) < FRESH_MS
      if (last && isFresh) return last.examination
      running ??= look(deps).finally(() => (running = undefined))
      return running
    },
    async tryStore(deps, store) {
      const { tryStore } = await import('./try-store')
      return tryStore(deps, store)
    },
  }
}
