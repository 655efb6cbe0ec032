import { mayContainSecret } from '../../../../shared/masked-address'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { addressPlaceOf, sealAddress } from '../../../secrets/sealed-address'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { eachConnectionRow, findConnection, updateConnectionRow } from './connections.queries'
import { configAddressOwner, type SourcePart, sourceOwner } from './source-address'
import { sealContextOf } from './source-config'

/** Encrypts the addresses that may contain a secret and are stored plainly. */
export const sealPlainSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: (row) => listConfigs(row).some(isPlain),
    // The credentials stay as they are: their key may be missing.
    seal: (trx, row) =>
      changeConfigs(trx, row, (config, owner) => sealPlainConfig(deps.secrets, config, owner)),
  })

/** Encrypts all secrets of sources with the current key. */
export const resealSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: (row) => listSealedOfSource(row).some((sealed) => !deps.secrets.isCurrent(sealed)),
    seal: (trx, row) =>
      changeConfigs(trx, row, (config, owner) => resealConfig(deps.secrets, config, owner)),
  })

type Sources = Pick<ConnectionRow, 'config' | 'overlay'>

/** All that is encrypted of a source and of its overlay. */
export const listSealedOfSource = (row: Sources): string[] =>
  listConfigs(row).flatMap(listSealedOfConfig)

/** All that is encrypted of an address and of what opens it. */
export const listSealedOfConfig = ({ sealedUrl, auth }: StoredConfig): string[] =>
  [sealedUrl, auth?.sealed].filter((sealed) => sealed !== undefined)

const listConfigs = ({ config, overlay }: Sources): StoredConfig[] =>
  overlay ? [config, overlay] : [config]

const isPlain = ({ url, sealedUrl }: StoredConfig) =>
  url !== '' && !sealedUrl && mayContainSecret(url)

async function changeConfigs(
  trx: WriteTransaction,
  { id }: ConnectionRow,
  seal: (config: StoredConfig, owner: string) => StoredConfig,
): Promise<void> {
  const row = await findConnection(trx, id, {})
  if (!row) return
  const { supplierId, config, overlay } = row
  const ownerOf = (part: SourcePart) => sourceOwner(supplierId, part)
  await updateConnectionRow(trx, row, {
    config: seal(config, ownerOf('source')),
    ...(overlay && { overlay: { ...overlay, ...seal(overlay, ownerOf('overlay')) } }),
  })
}

function sealPlainConfig(secrets: SecretBox, config: StoredConfig, owner: string): StoredConfig {
  if (!isPlain(config)) return config
  return { ...config, ...sealAddress(secrets, config.url, configAddressOwner(owner)) }
}

/** Encrypts the secrets of an address with the current key. @throws SealError */
export function resealConfig(
  secrets: SecretBox,
  config: StoredConfig,
  owner: string,
): StoredConfig {
  const { url, sealedUrl, auth } = config
  const places = {
    address: addressPlaceOf(configAddressOwner(owner), url),
    credentials: sealContextOf(owner, url),
  }
  return {
    ...config,
    ...(sealedUrl && { sealedUrl: sealAnew(secrets, sealedUrl, places.address) }),
    ...(auth && { auth: { ...auth, sealed: sealAnew(secrets, auth.sealed, places.credentials) } }),
  }
}
