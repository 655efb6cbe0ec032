import { Text } from '@mantine/core'

import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../shared/constants'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { feedFileNameOf } from '../../../shared/shop-formats'
import type { FailedQuery } from '../../components/feedback/message-state'
import { SecretLinkPanel } from '../../components/layout/secret-link-panel'
import { useNewLink } from '../../lib/use-new-link'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import type { Settings } from './merged-values'

import classes from './merged-file.module.css'

const ADDRESS = { one: 'Feed address', several: 'Feed addresses', short: 'address' }

interface MergedAddressProps {
  file: ShownMergedFile
  settings: Settings
  query: FailedQuery
  whoChanges: string
}

/** The address from which a shop reads the merged file without signing in. */
export function MergedAddress({ file, settings, query, whoChanges }: MergedAddressProps) {
  const mayChange = useMay('addresses')
  const { mergedFile } = trpc.useUtils()
  const { newPath, creating, revoking } = useNewLink(ADDRESS, () => mergedFile.get.invalidate())
  const create = trpc.mergedFile.createAddress.useMutation(creating)
  const revoke = trpc.mergedFile.revokeAddresses.useMutation(revoking)
  const info = trpc.app.info.useQuery()
  const { origin } = new URL(info.data?.publicUrl ?? window.location.origin)
  const fileName = feedFileNameOf(settings.profile.kind)
  const start = newPath?.slice(0, newPath.lastIndexOf('/') + 1)
  return (
    <SecretLinkPanel
      id={0}
      create={{
        isPending: create.isPending,
        mutate: (_, options) => create.mutate({ endsOthers: false }, options),
      }}
      revoke={{
        isPending: revoke.isPending,
        mutate: (_, options) => revoke.mutate(undefined, options),
      }}
      whoChanges={mayChange ? undefined : whoChanges}
      name={ADDRESS}
      description="Where your shop reads the merged file by itself"
      query={{ ...query, isError: false, data: file.addresses }}
      newUrl={start && `${origin}${start}${fileName}`}
      toPath={(tokenEnd) => `/feeds/…${tokenEnd}/${fileName}`}
      use="Read"
      purpose="An address that stays the same, for shop importers, spreadsheets and scripts. Whoever knows it can read the file, without signing in."
      ofReplacing={`A new address is created. The present one works for another ${FEED_ADDRESS_OVERLAP_HOURS} hours, so that the shop can be changed over without a gap.`}
      ofRevoking="Whatever reads the file from this address stops working at once. The address cannot be brought back, but a new one can be created."
    >
      <Text fz="sm" c="dimmed">
        The same address ending in inventory.xlsx is an Excel workbook, in inventory.parquet typed
        columns for programs. With <code className={classes.query}>?format=json</code> it has one
        JSON object for each row, and with <code className={classes.query}>?since=</code> only the
        rows that have changed.
      </Text>
    </SecretLinkPanel>
  )
}
