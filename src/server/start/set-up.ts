import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'

import type { Deps } from '../domain/deps'
import { createSecretToken } from '../domain/secret-token'
import { hasAdmin } from '../features/people/accounts/administrators'
import { buildSetupApp } from '../http/setup/setup-app'
import { createFirstRestore } from '../restore/first-restore'
import type { StagedRestore } from '../restore/staged-restore'
import { readOrCreateSecret, readSecretIfThere } from '../secrets/secret-file'
import { listen } from './listen'
import { watchStop } from './shutdown'

/** How soon it is seen that another process, or npm run create-admin, has made an administrator. */
const LOOK_EVERY_MS = 1_000

type SetupOptions = {
  clientDir: string
  /** Why a restore that was begun on the page has failed. */
  problem?: string | undefined
  /** Receives the address, for the operator. */
  print(line: string): void
}

/** What has come of the set-up. */
export type SetUp = {
  /** The port that was listened on, which the product takes over. */
  port: number
  /** A backup that is to replace the data now; undefined once there is an administrator. */
  restore: StagedRestore | undefined
}

/**
 * Where there is no administrator, serves the page on which the holder of the set-up token makes one or chooses a backup
 * to restore, and waits for that. The token is in a file of the data folder, which all processes with that folder share,
 * and is printed once.
 * @returns undefined when there was an administrator
 * @throws ConfigError when the port cannot be used; StoppedError when the process was told to stop meanwhile
 */
export async function setUpInBrowser(
  deps: Deps,
  { clientDir, problem, print }: SetupOptions,
): Promise<SetUp | undefined> {
  const { config } = deps
  if (await hasAdmin(deps.db)) return undefined
  const known = await readSecretIfThere(config.setupTokenFile)
  const token = await readOrCreateSecret(config.setupTokenFile, createSecretToken)
  return serveSetup(deps, { clientDir, token, problem }, (url) => {
    // The page of before is still open.
    if (problem !== undefined) return
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

type ServeOptions = Pick<SetupOptions, 'clientDir' | 'problem'> & { token: string }

async function serveSetup(
  deps: Deps,
  { clientDir, token, problem }: ServeOptions,
  onListening: (url: string) => void,
): Promise<SetUp> {
  let isDecided = false
  let resolve = (_restore: StagedRestore | undefined): void => undefined
  const isDone = new Promise<StagedRestore | undefined>((done) => (resolve = done))
  /** @returns whether this is what came of it */
  const decide = (staged?: StagedRestore) => {
    if (isDecided) return false
    resolve(staged)
    return (isDecided = true)
  }
  const restore = createFirstRestore(deps, { problem, onStaged: decide })
  const app = await buildSetupApp(deps, { token, clientDir, restore, onDone: () => decide() })
  const stop = watchStop()
  const watching = setInterval(() => {
    // A database that does not answer now may do so later.
    void hasAdmin(deps.db).then(
      (has) => has && decide(),
      () => undefined,
    )
  }, LOOK_EVERY_MS)
  try {
    const { host, port } = deps.config
    const url = await listen(app, { host, port, hostVariable: 'HOST', portVariable: 'PORT' })
    onListening(url)
    const staged = await Promise.race([isDone, stop.isTold])
    return { port: (app.server.address() as AddressInfo).port, restore: staged }
  } finally {
    clearInterval(watching)
    stop.forget()
    await restore.close()
    await app.close()
  }
}
