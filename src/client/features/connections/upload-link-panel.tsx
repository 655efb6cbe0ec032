import { Stack } from '@mantine/core'

import { UPLOAD_LINK_OVERLAP_HOURS } from '../../../shared/constants'
import { CopyableCode } from '../../components/layout/copyable-code'
import { SecretLinkPanel } from '../../components/layout/secret-link-panel'
import { useNewLink } from '../../lib/use-new-link'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

import classes from './received-files.module.css'

const NAME = { one: 'Upload link', several: 'Upload links', short: 'link' }

/** The link by which somebody without a login sends files to a connection. */
export function UploadLinkPanel({ connectionId }: { connectionId: number }) {
  const query = trpc.uploadLinks.list.useQuery({ id: connectionId })
  const { newUrl, ...calls } = useUploadLink(connectionId)
  const mayChange = useMay('manage')
  return (
    <SecretLinkPanel
      {...calls}
      id={connectionId}
      whoChanges={mayChange ? undefined : 'Owners and editors of your company create it.'}
      name={NAME}
      description="For a warehouse, an agency or a script that sends the file without signing in."
      query={query}
      newUrl={newUrl}
      toPath={(tokenEnd) => `/upload/…${tokenEnd}`}
      use="Used"
      purpose="Whoever knows the link can send files to this connection, and see what became of the last ten. Nothing else can be seen through it."
      ofReplacing={`A new link is created. The present one works for another ${UPLOAD_LINK_OVERLAP_HOURS} hours.`}
      ofRevoking="Nobody can send files by this link any more. It cannot be brought back, but a new one can be created."
    >
      {mayChange && (
        <Stack gap={8}>
          <p className={classes.note}>
            Opened in a browser, the link is a page to drop the file on. A script sends it with:
          </p>
          <CopyableCode
            code={`curl -T stock.xlsx ${newUrl ?? `${window.location.origin}/upload/YOUR-TOKEN`}/`}
            label="the example for curl"
          />
        </Stack>
      )}
    </SecretLinkPanel>
  )
}

function useUploadLink(connectionId: number) {
  const utils = trpc.useUtils()
  const info = trpc.app.info.useQuery()
  const { newPath, creating, revoking } = useNewLink(NAME, () =>
    utils.uploadLinks.list.invalidate({ id: connectionId }),
  )
  return {
    create: trpc.uploadLinks.create.useMutation(creating),
    revoke: trpc.uploadLinks.revoke.useMutation(revoking),
    newUrl: newPath && new URL(newPath, info.data?.publicUrl ?? window.location.origin).href,
  }
}
