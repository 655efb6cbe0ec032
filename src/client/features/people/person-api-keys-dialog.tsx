import { Group, Modal, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'

import type { ApiKey } from '../../../shared/schemas/api-key'
import type { Person } from '../../../shared/schemas/person'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { RefreshButton } from '../../components/feedback/refresh-button'
import { displayNameOf } from '../../lib/display-name'
import { trpc } from '../../trpc'
import { ApiKeyTable } from './api-key-table'
import { EndApiKeyDialog } from './end-api-key-dialog'
import { useEndApiKey } from './use-end-api-key'

interface PersonApiKeysDialogProps {
  isOpen: boolean
  person: Person | null
  onClose: () => void
}

/** The keys of a person, for owners of the company and administrators. */
export function PersonApiKeysDialog({ isOpen, person, onClose }: PersonApiKeysDialogProps) {
  const ending = useEndApiKey(person?.id)
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        size={900}
        // While a question is open, Escape only closes the question.
        closeOnEscape={!ending.question.isOpen}
        title={person && <>API keys of {<bdi>{displayNameOf(person)}</bdi>}</>}
      >
        {person && <Keys personId={person.id} onEnd={ending.question.open} />}
      </Modal>
      <EndApiKeyDialog {...ending} />
    </>
  )
}

interface KeysProps {
  personId: number
  onEnd: (key: ApiKey) => void
}

function Keys({ personId, onEnd }: KeysProps) {
  // They change without a call of whoever looks, and no event says so.
  const list = trpc.apiKeys.list.useQuery({ personId }, { refetchOnMount: 'always' })
  if (list.isError && !list.data) {
    return <LoadError isCompact title="The keys could not be loaded" query={list} />
  }
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <RefreshButton size="xs" onRefresh={list.refetch} />
      </Group>
      {list.data?.length === 0 ? (
        <EmptyState icon={IconKey} title="No keys" />
      ) : (
        <ApiKeyTable keys={list.data} onEnd={onEnd} />
      )}
    </Stack>
  )
}
