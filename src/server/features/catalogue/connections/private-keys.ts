import { SECOND_MS } from '../../../../shared/durations'
import { isUnchanged, type SourceAuthInput } from '../../../../shared/schemas/source-auth'
import { createKeyedSemaphore } from '../../../concurrency/keyed-semaphore'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'

/** A source as it is entered. */
type WithAuth = { auth?: SourceAuthInput | undefined }
/** A connection with its sources, likewise. */
type Sources = { config?: WithAuth | undefined; overlay?: WithAuth | null | undefined }

const UNLOCKING_MS = 15 * SECOND_MS
/** Fewer of a supplier than are read at once, so that the slow keys of one delay nobody else. */
const turns = createKeyedSemaphore<number | null>(() => 1)

/**
 * Takes the passphrases of private keys away, which whoever reads them does apart from this process: keys are stored
 * without. To be called before anything is written.
 * @throws DomainError INVALID for a key that cannot be used, and for a passphrase that does not fit; UNAVAILABLE while
 *   too many others are read
 */
export async function unlockSources<Input extends Sources>(
  deps: Deps,
  supplierId: number,
  input: Input,
): Promise<Input> {
  const { config, overlay } = input
  const unlock = <Source extends WithAuth>(source: Source, fieldPrefix: string) =>
    unlockSource(deps, source, { supplierId, fieldPrefix })
  return {
    ...input,
    ...(config && { config: await unlock(config, 'config.') }),
    ...(overlay && { overlay: await unlock(overlay, 'overlay.') }),
  }
}

/**
 * Likewise of one source.
 * @param of whose turn it is, null for an administrator; and the prefix of the path in the caller's input, for the
 *   field named in an error
 */
export async function unlockSource<Source extends WithAuth>(
  deps: Deps,
  source: Source,
  { supplierId, fieldPrefix }: { supplierId: number | null; fieldPrefix: string },
): Promise<Source> {
  const { auth } = source
  if (auth?.type !== 'ssh-key' || isUnchanged(auth.privateKey)) return source
  const { passphrase = '', privateKey: given, ...rest } = auth
  const task = { privateKey: given, passphrase }
  const signal = AbortSignal.timeout(UNLOCKING_MS)
  let leave: (() => void) | undefined
  try {
    leave = await turns.acquire(supplierId, signal)
    const { privateKey } = await deps.readers.run('unlockKey', task, { signal })
    return { ...source, auth: { ...rest, privateKey } }
  } catch (error) {
    // Few keys are read at a time: the reading itself has less time, and fails sooner.
    if (signal.aborted) throw busy(error)
    if (!(error instanceof FileError)) throw error
    const isOfKey = error.code === 'bad-key'
    const why = isOfKey
      ? error.message
      : 'The private key takes too long to be read: protect it with fewer rounds'
    const field = /passphrase/.test(why) ? 'passphrase' : 'privateKey'
    throw new DomainError('INVALID', why, { field: `${fieldPrefix}auth.${field}` })
  } finally {
    leave?.()
  }
}

const busy = (cause: unknown) =>
  new DomainError('UNAVAILABLE', 'Too many private keys are read at once. Try again in a moment.', {
    cause,
    retryAfterSeconds: 15,
  })
