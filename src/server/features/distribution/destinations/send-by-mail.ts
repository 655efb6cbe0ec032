import type { Deps } from '../../../domain/deps'
import { FileError } from '../../../files/file-error'
import type { Outgoing } from './outgoing'

/** Sends a file to people by mail. @throws FileError, or the signal's reason */
export async function sendByMail(_deps: Deps, _outgoing: Outgoing): Promise<{ text: string }> {
  throw new FileError('connect-failed', 'This installation does not send files by mail.')
}
