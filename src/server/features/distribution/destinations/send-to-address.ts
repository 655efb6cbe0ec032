import type { Deps } from '../../../domain/deps'
import { openDestination } from './destination-address'
import type { Outgoing } from './outgoing'

/** Sends a file to an address, over the network. @throws FileError, or the signal's reason */
export function sendToAddress(
  deps: Deps,
  { destination, file, dispatchId, idempotencyKey, isRepeat, body, signal }: Outgoing,
): Promise<{ text: string }> {
  const { url: address, ...access } = openDestination(deps, destination)
  const { fileName, mediaType, sizeBytes, sha256 } = file
  const sending = {
    address,
    ...access,
    fileName,
    mediaType,
    sizeBytes,
    sha256,
    method: destination.method ?? 'PUT',
    idempotencyKey,
    isRepeat,
    isTrial: dispatchId === null,
    hosts: deps.hosts,
    signal,
  }
  return deps.sender.send(sending, body)
}
