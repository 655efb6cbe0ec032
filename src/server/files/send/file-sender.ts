import { FileError } from '../file-error'
import { presignSending } from './s3-sending'
import type { NetworkSender } from './send-file'
import { type SendRequest, sendRequestSchema } from './send-request'
import type { FileSender, Sending } from './sending'

/** Sends files through what has the network, which is told no key pair of a bucket. */
export function createFileSender(network: NetworkSender): FileSender {
  return {
    async send(sending, body) {
      const { hosts, signal } = sending
      signal.throwIfAborted()
      return network.send({ ...(await toSendRequest(sending)), hosts, signal }, body)
    },
    close: () => network.close(),
  }
}

/** @throws FileError for a file that cannot be sent there */
async function toSendRequest(sending: Sending): Promise<SendRequest> {
  const { s3: _s3, hosts: _hosts, signal: _signal, server, ...told } = sending
  const signed = told.address.startsWith('s3:') ? await presignSending(sending) : undefined
  const request = {
    ...told,
    ...(signed && { signed }),
    // Settings of fetches are stored beside these.
    ...(server && {
      server: {
        login: server.login,
        hostKeys: [...server.hostKeys],
        usesTls: server.usesTls,
        allowsOld: server.allowsOld,
      },
    }),
  }
  // The process that sends would end at a message that is not valid, and with it what it sends of others.
  if (sendRequestSchema.safeParse(request).success) return request
  throw new FileError(
    'bad-address',
    'The name of the file, its address or the access to it is too long: enter shorter ones.',
  )
}
