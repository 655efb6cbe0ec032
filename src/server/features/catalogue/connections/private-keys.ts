import { SECOND_MS } from '../../../../shared/durations'
import { isUnchanged, type SourceAuthInput } from '../../../../shared/schemas/source-auth'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'

/** A source as it is entered. */
type WithAuth = { auth?: SourceAuthInput | undefined }
/** A connection with its sources, likewise. */
type Sources = { config?: WithAuth | undefined; overlay?: WithAuth | null | undefined }

const UNLOCKING_MS = 15 * SECOND_MS

/**
 * Takes the passphrases of private keys away, which whoever reads them does apart from this process: keys are stored
 * without. To be called before anything is written.
 * @throws DomainError INVALID for a key that cannot be used, and for a passphrase that does not fit; UNAVAILABLE while
 *   too many others are read
 */
export async function unlockSources<Input extends Sources>(
  deps: Deps,
  input: Input,
): Promise<Input> {
  const { config, overlay } = input
  return {
    ...input,
    ...(config && { config: await unlockSource(deps, config, 'config.') }),
    ...(overlay && { overlay: await unlockSource(deps, overlay, 'overlay.') }),
  }
}

/** Likewise of one source. @param fieldPrefix of the path in the caller's input, for the field named in an error */
export async function unlockSource<Source extends WithAuth>(
  deps: Deps,
  source: Source,
  fieldPrefix: string,
): Promise<Source> {
  const { auth } = source
  if (auth?.type !== 'ssh-key' || isUnchanged(auth.privateKey)) return source
  const { passphrase = '', privateKey: given, ...rest } = auth
  const task = { privateKey: given, passphrase }
  const signal = AbortSignal.timeout(UNLOCKING_MS)
  try {
    const { privateKey } = await deps.readers.run('unlockKey', task, { signal })
    return { ...source, auth: { ...rest, privateKey } }
  } catch (error) {
    // One key is read at a time: the reading itself has less time, and fails sooner.
    if (signal.aborted) throw busy(error)
    if (!(error instanceof FileError)) throw error
    const isOfKey = error.code === 'bad-key'
    const why = isOfKey
      ? error.message
      : 'The private key takes too long to be read: protect it with fewer rounds'
    const field = /passphrase/.test(why) ? 'passphrase' : 'privateKey'
    throw new DomainError('INVALID', why, { field: `${fieldPrefix}auth.${field}` })
  }
}

const busy = (cause: unknown) =>
  new DomainError('UNAVAILABLE', 'Too many private keys are read at once. Try again in a moment.', {
    cause,
    retryAfterSeconds: 15,
  })
