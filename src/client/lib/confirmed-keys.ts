import { readHostKey } from '../../shared/host-key'

/** Adds the key that a server has shown; a changed one takes the place of those of its kind. */
export function withConfirmed(
  confirmed: readonly string[],
  { hostKey, isChanged }: { hostKey: string; isChanged: boolean },
): string[] {
  const type = typeOf(hostKey)
  return [...confirmed.filter((text) => !isChanged || typeOf(text) !== type), hostKey]
}

/** A fingerprint without its kind may be of any. */
const typeOf = (text: string) => readHostKey(text)?.type
