import { SECOND_MS } from '../../shared/durations'
import type { Deps } from '../domain/deps'
import {
  findRestore,
  takeRestore,
  type TakenRestore,
} from '../features/operations/restores/restore-lease'

const LOOK_EVERY_MS = SECOND_MS

type Watch = {
  /** Does a restore that was asked for; without it, this process leaves that to others. */
  lead?(restore: TakenRestore): Promise<void>
  /** Called once, when this process has to stop because another one restores, or has just done so. */
  onStop(): void
}

/**
 * Looks every second whether a restore was asked for, or is under way in another process.
 * @returns ends it
 */
export function watchRestores(deps: Deps, { lead, onStop }: Watch): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  /** The restore that this process does. */
  let own: string | undefined
  /** The last restore when this process began: it has seen nothing of what was before. */
  let restored: string | null | undefined
  const look = async () => {
    const row = await findRestore(deps)
    const last = row?.step === 'restored' ? row.token : null
    if (restored === undefined) restored = last
    const isReplaced = last !== null && last !== restored
    if (isReplaced || (row?.step === 'stopping' && row.token !== own)) {
      isEnded = true
      return onStop()
    }
    if (!lead || row?.step !== 'asked') return undefined
    const taken = await takeRestore(deps, row.token)
    if (!taken) return undefined
    own = taken.token
    return lead(taken)
  }
  const lookAgain = () => {
    timer = setTimeout(() => void (looking = lookOnce()), LOOK_EVERY_MS).unref()
  }
  /** A database that does not answer now is asked again. */
  const lookOnce = async () => {
    await look().catch(() => undefined)
    if (!isEnded) lookAgain()
  }
  let looking = lookOnce()
  return async () => {
    isEnded = true
    clearTimeout(timer)
    await looking
  }
}
