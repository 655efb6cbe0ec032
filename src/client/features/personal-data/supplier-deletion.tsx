import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import type { SupplierOverview } from '../../../shared/schemas/supplier'
import { PendingButton } from '../../components/feedback/pending-button'
import { Panel } from '../../components/layout/panel'
import { formatDate } from '../../lib/time-format'
import { DeleteSupplierDialog } from './lazy-dialogs'
import { useKeepAccount } from './use-keep-account'

/** The place on a supplier's page where an administrator deletes it, or keeps it. */
export function SupplierDeletion({ supplier }: { supplier: SupplierOverview }) {
  const { id, companyName, username, retailerCount, deletionAt } = supplier
  const [isOpen, dialog] = useDisclosure(false)
  const keep = useKeepAccount()
  return (
    <>
      <Panel title="Deletion">
        <Group justify="space-between" gap="12px 24px">
          <Text component="div" c="dimmed" fz="sm" style={{ flex: '1 1 240px' }}>
            {deletionAt === null
              ? 'Deletes the supplier with its people, its retailers and all their files, after two weeks in which it can be kept.'
              : `To be deleted on ${formatDate(deletionAt)}, with its people, its retailers and all their files. They have been told.`}
          </Text>
          {deletionAt === null ? (
            <Button variant="default" onClick={dialog.open}>
              Delete supplier…
            </Button>
          ) : (
            <PendingButton
              variant="default"
              isPending={keep.isPending}
              onClick={() => keep.mutate({ companyId: id })}
            >
              Keep the account
            </PendingButton>
          )}
        </Group>
      </Panel>
      <DeleteSupplierDialog
        isOpen={isOpen}
        onClose={dialog.close}
        supplier={{ id, name: companyName ?? username, retailerCount }}
      />
    </>
  )
}
