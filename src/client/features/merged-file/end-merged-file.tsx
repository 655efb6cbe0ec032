import { Button } from '@mantine/core'
import { useState } from 'react'

import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { Panel } from '../../components/layout/panel'
import { SettingLine } from '../../components/layout/setting-line'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Ends the merged file. */
export function EndMergedFile() {
  const [isAsking, setAsking] = useState(false)
  const { mergedFile } = trpc.useUtils()
  const remove = trpc.mergedFile.remove.useMutation({
    async onSuccess() {
      await mergedFile.get.invalidate()
      showSuccess('Merged file removed')
    },
    onError: (error) => showFailure(error, 'The merged file could not be removed'),
  })
  return (
    <Panel>
      <SettingLine
        title="Remove the merged file"
        note="Its addresses, destinations, settings and matching file end with it. The files of your suppliers stay as they are."
      >
        <Button variant="default" onClick={() => setAsking(true)}>
          Remove
        </Button>
      </SettingLine>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the merged file"
        confirmLabel="Remove"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        Shops that read it stop working at once, and nothing more is sent to its destinations. Its
        addresses cannot be brought back.
      </ConfirmDialog>
    </Panel>
  )
}
