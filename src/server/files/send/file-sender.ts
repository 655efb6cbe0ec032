import { presignSending } from './s3-sending'
import type { NetworkSender } from './send-file'
import type { SendRequest } from './send-request'
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
  return {
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
}
