import { FileError } from '../file-error'
import type { FileSender } from './sending'

/** Until there is one that sends over the network. */
export const noSender: FileSender = {
  async send() {
    throw new FileError('connect-failed', 'This installation sends no files.')
  },
}
