import type { FastifyInstance } from 'fastify'

import { ConfigError } from '../config'

type Address = { host: string; port: number; portVariable: 'PORT' | 'WORKER_PORT' | 'METRICS_PORT' }

/**
 * Opens the socket and returns the address.
 * @throws ConfigError naming the variable to change, when the host or the port cannot be used
 */
export async function listen(app: FastifyInstance, address: Address): Promise<string> {
  const { host, port } = address
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const reason = describe(address, (error as NodeJS.ErrnoException).code)
    throw reason === undefined ? error : new ConfigError(reason)
  }
}

function describe({ host, port, portVariable }: Address, code: string | undefined) {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop what runs there, or set ${portVariable} to another one.`
    case 'EACCES':
      return `Port ${port} needs privileges that this user lacks. Set ${portVariable} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `HOST: this machine has no address ${host}. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all networks.`
    default:
      return undefined
  }
}
