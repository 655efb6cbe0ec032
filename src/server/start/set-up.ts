import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'

import type { Deps } from '../domain/deps'
import { createSecretToken } from '../domain/secret-token'
import { hasAdmin } from '../features/people/accounts/administrators'
import { buildSetupApp } from '../http/setup/setup-app'
import { readOrCreateSecret, readSecretIfThere } from '../secrets/secret-file'
import { listen } from './listen'
import { watchStop } from './shutdown'

/** How soon it is seen that another process, or npm run create-admin, has made an administrator. */
const LOOK_EVERY_MS = 1_000

type SetupOptions = {
  clientDir: string
  /** Receives the address, for the operator. */
  print(line: string): void
}

/**
 * Where there is no administrator, serves the page on which the holder of the set-up token makes one, and waits for
 * that. The token is in a file of the data folder, which all processes with that folder share, and is printed once.
 * @returns the port that was listened on, which the product takes over; undefined when there was an administrator
 * @throws ConfigError when the port cannot be used; StoppedError when the process was told to stop meanwhile
 */
export async function setUpInBrowser(
  deps: Deps,
  { clientDir, print }: SetupOptions,
): Promise<number | undefined> {
  const { config } = deps
  if (await hasAdmin(deps.db)) return undefined
  const known = await readSecretIfThere(config.setupTokenFile)
  const token = await readOrCreateSecret(config.setupTokenFile, createSecretToken)
  return serveSetup(deps, { clientDir, token }, (url) => {
    const page = `${config.publicUrl ?? url.replace('127.0.0.1', 'localhost')}/setup`
    print(
      known === undefined
        ? `Set up ${config.appName} at ${page}#token=${token}  (shown this once)`
        : `Set up ${config.appName} at ${page}, with the token in ${config.setupTokenFile}`,
    )
  })
}

/** With the first administrator, however it was made, the token ends. */
export const endSetup = ({ config }: Pick<Deps, 'config'>): Promise<void> =>
  rm(config.setupTokenFile, { force: true })

async function serveSetup(
  deps: Deps,
  { clientDir, token }: { clientDir: string; token: string },
  onListening: (url: string) => void,
): Promise<number> {
  let onDone = (): void => undefined
  const isDone = new Promise<void>((resolve) => (onDone = resolve))
  const app = await buildSetupApp(deps, { token, clientDir, onDone })
  const stop = watchStop()
  const watching = setInterval(() => {
    // A database that does not answer now may do so later.
    void hasAdmin(deps.db).then(
      (has) => has && onDone(),
      () => undefined,
    )
  }, LOOK_EVERY_MS)
  try {
    const { host, port } = deps.config
    const url = await listen(app, { host, port, hostVariable: 'HOST', portVariable: 'PORT' })
    onListening(url)
    await Promise.race([isDone, stop.isTold])
    return (app.server.address() as AddressInfo).port
  } finally {
    clearInterval(watching)
    stop.forget()
    await app.close()
  }
}
