import { mayContainSecret } from '../../../../shared/masked-address'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { addressPlaceOf, sealAddress } from '../../../secrets/sealed-address'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { eachConnectionRow, findConnection, updateConnectionRow } from './connections.queries'
import { sourceAddressOwner } from './source-address'
import { sealContextOf } from './source-config'

/** Encrypts the addresses that may contain a secret and are stored plainly. */
export const sealPlainSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: ({ config }) => isPlain(config),
    // The credentials stay as they are: their key may be missing.
    seal: (trx, row) =>
      changeConfig(trx, row, (current) => sealPlainAddress(deps.secrets, current)),
  })

/** Encrypts all secrets of sources with the current key. */
export const resealSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: ({ config }) => !isCurrent(deps.secrets, config),
    seal: (trx, row) => changeConfig(trx, row, (current) => resealConfig(deps.secrets, current)),
  })

/** All that is encrypted of a source. */
export const listSealedOfSource = ({ sealedUrl, auth }: StoredConfig): string[] =>
  [sealedUrl, auth?.sealed].filter((sealed) => sealed !== undefined)

const isPlain = ({ url, sealedUrl }: StoredConfig) =>
  url !== '' && !sealedUrl && mayContainSecret(url)
const isCurrent = (secrets: SecretBox, config: StoredConfig) =>
  listSealedOfSource(config).every((sealed) => secrets.isCurrent(sealed))

type Source = Pick<ConnectionRow, 'supplierId' | 'config'>

async function changeConfig(
  trx: WriteTransaction,
  { id }: ConnectionRow,
  seal: (source: Source) => StoredConfig,
): Promise<void> {
  const row = await findConnection(trx, id, {})
  if (row) await updateConnectionRow(trx, row, { config: seal(row) })
}

function sealPlainAddress(secrets: SecretBox, { supplierId, config }: Source): StoredConfig {
  if (!isPlain(config)) return config
  return { ...config, ...sealAddress(secrets, config.url, sourceAddressOwner(supplierId)) }
}

function resealConfig(secrets: SecretBox, { supplierId, config }: Source): StoredConfig {
  const { url, sealedUrl, auth } = config
  const places = {
    address: addressPlaceOf(sourceAddressOwner(supplierId), url),
    credentials: sealContextOf(supplierId, url),
  }
  return {
    url,
    ...(sealedUrl && { sealedUrl: sealAnew(secrets, sealedUrl, places.address) }),
    ...(auth && { auth: { ...auth, sealed: sealAnew(secrets, auth.sealed, places.credentials) } }),
  }
}
